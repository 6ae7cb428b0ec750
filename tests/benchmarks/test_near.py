"""Near duplicates among made-up pages: nearly all copies are found, and hardly a page is lost."""

import json

import pytest

from benchmarks.__main__ import main
from benchmarks.corpora.changed import generate_pages
from benchmarks.near import judge_duplicates

LEAST = 0.98


@pytest.mark.slow
@pytest.mark.requirement(58)
def test_a_hundred_copies_among_a_thousand_pages(capsys: pytest.CaptureFixture[str]) -> None:
    """Dates, counters and adverts do not hide a copy; through the benchmark's own door."""
    assert main(["near", "--urls", "1000"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["name"] for row in rows] == ["near.precision", "near.recall", "near.lookup.1000"]
    assert min(row["ours"] for row in rows[:2]) >= LEAST


@pytest.mark.requirement(58)
@pytest.mark.long
def test_a_thousand_copies_among_ten_thousand_pages() -> None:
    judged = judge_duplicates(10_000, 1_000)
    assert min(judged.precision, judged.recall) >= LEAST


def test_the_pages_are_what_they_are_said_to_be() -> None:
    pages = generate_pages(100, 10)
    assert len({page.number for page in pages}) == len({page.body for page in pages}) == 110
    assert sum(page.number != page.original for page in pages) == 10
    assert pages == generate_pages(100, 10)
