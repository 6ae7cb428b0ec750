"""Extraction beside its peers: the figures are there, and the measure measures."""

import json
from pathlib import Path

import pytest

from benchmarks.__main__ import main
from benchmarks.corpora.gold import compute_f1, read_test_pages, select_text

PEERS = {"trafilatura", "resiliparse"}
F1 = [
    ("a b c", "a b c", 1.0, "the same words"),
    ("c b a", "A, b; C.", 1.0, "in any order and case"),
    ("a b", "c d", 0.0, "none of them"),
    ("a b", "a b c d", 2 / 3, "half of them"),
    ("a a", "a", 2 / 3, "a word twice is one too many"),
    ("桥重", "重新", 0.5, "Chinese by the letter"),
    ("", "", 0.0, "nothing at all"),
]


@pytest.mark.parametrize(("found", "wanted", "share", "why"), F1, ids=[why for *_, why in F1])
def test_f1(found: str, wanted: str, share: float, why: str) -> None:
    assert compute_f1(found, wanted) == pytest.approx(share), why


def test_marked_text_stands_once_and_without_what_is_beside() -> None:
    html = "<div data-main>a <p data-main>b</p><i data-beside>c</i></div>d"
    assert select_text(html, "[data-main]", "[data-beside]").split() == ["a", "b"]


def test_marks_are_gone_from_the_pages() -> None:
    for page in read_test_pages():
        assert b"data-" not in page.html
        assert page.main.strip()


def test_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pages = tmp_path / "python3.11-doc/usr/share/doc/python3.11/html"
    pages.mkdir(parents=True)
    (pages / "other.html").write_text("<main><p>Text", encoding="utf-8")
    assert main(["extract", "--sites", str(tmp_path), "--packages", "python3.11-doc", "--pages", "3"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {(row["name"], row["peer"]) for row in rows if row["peer"]} == {
        (f"extract.own.{figure}", peer) for figure in ("f1", "us") for peer in PEERS
    }
    assert [row["budget"] for row in rows if row["name"] == "extract.info.read.python3.11-doc"] == [900.0]
    shares = [row["ours"] for row in rows if ".read.python3.11-doc.share." in row["name"]]
    assert shares == sorted(shares, reverse=True)
    assert 0 < sum(shares) <= 1.001
