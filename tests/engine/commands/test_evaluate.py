"""`scrapy evaluate`: a collection by hand, its measures worked out, its errors in one line."""

import json
from math import log2
from pathlib import Path

import pytest

from engine.command import EXIT_MISUSE
from engine.commands.evaluate import Command
from engine.index.query.collectors import collect_words
from engine.index.query.parser import parse_any_word
from engine.index.query.tree import AnyOf
from tests.engine.relevance.test_collection import written
from tests.running import here

DOCUMENTS = "\n".join(
    json.dumps({"id": name, "title": title, "text": text})
    for name, title, text in [
        ("1", "Amber", "amber amber basil"),
        ("2", "", "amber and much else that is here to fill the page"),
        ("3", "", "cedar"),
        ("4", "Basil", "basil"),
    ]
)


def evaluated(capsys: pytest.CaptureFixture[str], folder: Path) -> dict[str, float]:
    """What the command prints, from whichever folder: it needs none of its own."""
    assert here(Command(), folder / "no-data", str(folder), "--json") == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    assert printed.out.count("\n") == 1
    found: dict[str, float] = json.loads(printed.out)
    return found


@pytest.mark.requirement(305)
def test_the_measures_of_a_collection(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Amber ranks 1, 2; "-cedar OR" is three plain words, one of them found."""
    queries = "7\tamber\n8\t-cedar OR (absent\n9\tdune\n"
    qrels = "7\t2\t1\n8\t3\t1\n9\t1\t1\n"
    folder = written(tmp_path, docs=DOCUMENTS, queries=queries, qrels=qrels, links="")
    assert evaluated(capsys, folder) == {
        "ndcg@10": round((1 / log2(3) + 1 + 0) / 3, 4),
        "map": round((1 / 2 + 1 + 0) / 3, 4),
        "recall@100": round(2 / 3, 4),
        "queries": 3,
        "documents": 4,
    }
    assert not (tmp_path / "no-data").exists()


@pytest.mark.requirement(300)
def test_links_are_inlinks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of two documents that say the same, the one that is linked to ranks first."""
    texts = {"1": "amber and more", "2": "amber and more", "3": "cedar"}
    docs = "\n".join(json.dumps({"id": name, "text": text}) for name, text in texts.items())
    for linked in ("1", "2"):
        links, qrels = f"3\t{linked}\tit is here\n", f"7\t{linked}\t1\n"
        folder = written(tmp_path, docs=docs, queries="7\tamber\n", qrels=qrels, links=links)
        assert evaluated(capsys, folder)["ndcg@10"] == 1.0, linked


def test_for_a_person(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = written(tmp_path, docs=DOCUMENTS, queries="7\tcedar\n", qrels="7\t3\t1\n", links="")
    assert here(Command(), tmp_path, str(folder)) == 0
    assert capsys.readouterr().out.splitlines()[0].split() == ["ndcg@10", "1.0"]


def test_what_the_operator_gets_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert here(Command(), tmp_path, str(tmp_path)) == EXIT_MISUSE
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("scrapy evaluate: ")
    assert printed.err.count("\n") == 1


def test_a_word_that_is_repeated_counts_as_often_and_there_is_no_last_one() -> None:
    query = parse_any_word("a b a " + "c " * 100, [])
    assert isinstance(query, AnyOf)
    assert [next(iter(word.terms)) for word in collect_words(query)] == ["a", "b", "a", *"c" * 100]
