"""Judged queries of a real site, and the signals that the ablation turns off."""

from pathlib import Path

import pytest

from benchmarks.ablation import SIGNALS
from benchmarks.judged_site import FILE, mean_ndcg, read_judgments
from engine.errors import EngineError
from engine.ranking import Ranking


def written(folder: Path, text: str) -> Path:
    (folder / FILE).parent.mkdir()
    (folder / FILE).write_text(text, encoding="utf-8")
    return folder


def test_the_first_ten_are_judged_by_their_paths(tmp_path: Path) -> None:
    queries = read_judgments(written(tmp_path, "amber\ta.html b.html\nbasil\tc.html\n"))
    found = {"amber": ["http://x/a.html", "http://x/b.html"], "basil": ["http://x/a.html"]}
    assert mean_ndcg(queries, "http://x/", found.__getitem__) == 0.5


def test_a_line_without_pages_is_told(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="line 2: write a query, a tab, and the paths of relevant pages"):
        read_judgments(written(tmp_path, "amber\ta.html\nbasil\n"))


@pytest.mark.requirement(305)
@pytest.mark.parametrize("name", SIGNALS)
def test_each_signal_is_a_change(name: str) -> None:
    assert SIGNALS[name] != Ranking()
