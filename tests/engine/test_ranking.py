"""[ranking] of crawl.toml: the numbers of the ranking are the operator's."""

import re
from dataclasses import replace
from math import inf
from pathlib import Path

import pytest

from engine.config import EXAMPLE, load_config
from engine.errors import EngineError
from engine.ranking import FieldRanking, Ranking, dump_ranking, load_ranking, read_ranking

pytestmark = pytest.mark.requirement(305)


def ranked(folder: Path, text: str) -> Ranking:
    path = folder / "crawl.toml"
    path.write_text(text, encoding="utf-8")
    return read_ranking(load_config({"CRAWL_TOML": str(path), "DATA_DIR": str(folder / "data")}).ranking)


RANKED = [
    ("title = 3", "title", FieldRanking(3.0, Ranking().title.b), "a text's weight"),
    ("body_b = 0.75", "body", replace(Ranking().body, b=0.75), "what its length does"),
    ("inlink_weight = 0", "inlink_weight", 0.0, "requirement 300: 0 turns it off"),
    ("k1 = 2.5", "k1", 2.5, "a number that is not whole"),
]


@pytest.mark.requirement(300)
@pytest.mark.parametrize(("line", "name", "value", "why"), RANKED)
def test_what_ranks(tmp_path: Path, line: str, name: str, value: object, why: str) -> None:
    ranking = ranked(tmp_path, f"[ranking]\n{line}\n")
    assert ranking == replace(Ranking(), **{name: value}), why  # type: ignore[arg-type]


UNRANKED = [
    ("title = -1", "line 2: title: write a number from 0 to 100", "less than nothing"),
    ("body_b = 1.5", "line 2: body_b: write a number from 0 to 1", "a share"),
    ('k1 = "2"', "line 2: k1: write a number from 0 to 100", "text"),
    ("k1 = nan", "line 2: k1: write a number from 0 to 100", "a number that is none"),
    ("title_b = 0.4", "line 2: title_b is unknown", "all short texts have the same"),
    (
        "inlink_window = 5",
        "line 2: inlink_window is unknown; write one of k1, title, subject, headings",
        "our bound",
    ),
]


@pytest.mark.parametrize(("line", "words", "why"), UNRANKED)
def test_what_cannot_rank(tmp_path: Path, line: str, words: str, why: str) -> None:
    with pytest.raises(EngineError, match=re.escape(words)):
        ranked(tmp_path, f"[ranking]\n{line}\n")


def test_the_example_tells_the_usual_numbers(tmp_path: Path) -> None:
    lines = EXAMPLE.read_text(encoding="utf-8").partition("[ranking]\n")[2].partition("\n\n")[0]
    written = re.sub(r"(?m)^# (?=\w+ = )", "", lines)
    assert written != lines
    assert ranked(tmp_path, f"[ranking]\n{written}\n") == Ranking()
    assert ranked(tmp_path, EXAMPLE.read_text(encoding="utf-8")) == Ranking()


def test_another_process_has_the_same_ranking() -> None:
    changed = Ranking(k1=1.1, body=FieldRanking(2.0, 0.1, longest=inf), partial_matches=7)
    assert [load_ranking(dump_ranking(one)) for one in (Ranking(), changed)] == [Ranking(), changed]
