"""Extraction beside its peers: the figures are there, and the measure measures."""

import json
from pathlib import Path

import pytest

from benchmarks.__main__ import main
from benchmarks.corpora.gold import HELD_OUT, PRESS, compute_overlap, read_test_pages, select_text

PEERS = {"trafilatura", "resiliparse"}
OVERLAPS = [
    ("a b c", "a b c", (1, 1, 1), "the same words"),
    ("c b a", "A, b; C.", (1, 1, 1), "in any order and case"),
    ("a b", "c d", (0, 0, 0), "none of them"),
    ("a b", "a b c d", (1, 1 / 2, 2 / 3), "half of them"),
    ("a a", "a", (1 / 2, 1, 2 / 3), "a word twice is one too many"),
    ("桥重", "重新", (1 / 2, 1 / 2, 1 / 2), "Chinese by the letter"),
    ("", "", (0, 0, 0), "nothing at all"),
]
FIGURES = ("precision", "recall", "f1", "us")


@pytest.mark.parametrize(("found", "wanted", "figures", "why"), OVERLAPS, ids=[why for *_, why in OVERLAPS])
def test_overlap(found: str, wanted: str, figures: tuple[float, float, float], why: str) -> None:
    assert compute_overlap(found, wanted) == pytest.approx(figures), why


def test_marked_text_stands_once_and_without_what_is_beside() -> None:
    html = "<div data-main>a <p data-main>b</p><i data-beside>c</i></div>d"
    assert select_text(html, "[data-main]", "[data-beside]").split() == ["a", "b"]


def test_marks_are_gone_from_the_pages() -> None:
    for folder in ("", PRESS, HELD_OUT):
        for page in read_test_pages(folder):
            assert b"data-main" not in page.html, page.name
            assert b"data-beside" not in page.html, page.name
            assert page.main.strip(), page.name


def test_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pages = tmp_path / "python3.11-doc/usr/share/doc/python3.11/html"
    pages.mkdir(parents=True)
    (pages / "other.html").write_text("<main><p>Text", encoding="utf-8")
    assert main(["extract", "--sites", str(tmp_path), "--packages", "python3.11-doc", "--pages", "3"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {(row["name"], row["peer"]) for row in rows if row["peer"]} == {
        (f"extract.{name}.{figure}", peer)
        for name in ("own", PRESS, HELD_OUT)
        for figure in FIGURES
        for peer in PEERS
    }
    assert [row["budget"] for row in rows if row["name"] == "extract.info.read.python3.11-doc"] == [900.0]
    shares = [row["ours"] for row in rows if ".read.python3.11-doc.share." in row["name"]]
    assert shares == sorted(shares, reverse=True)
    assert 0 < sum(shares) <= 1.001
