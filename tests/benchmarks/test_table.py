"""The table of docs/benchmarks.md: medians of runs that take turns, and what could not be measured."""

import subprocess
from collections.abc import Iterator

import pytest

from benchmarks import table
from benchmarks.__main__ import SUMMARIES
from benchmarks.table import BEGIN, BENCHMARKS, END, PAGE, RUNS, Fields

PEER = "scrapy"


def row(name: str, ours: float, peer_value: float | None = None) -> Fields:
    peer, ratio = (PEER, ours / peer_value) if peer_value else (None, None)
    return {"name": name, "ours": ours, "peer": peer, "peer_value": peer_value, "ratio": ratio}


def test_benchmarks_take_turns_and_medians_count() -> None:
    ran = list[str]()
    rates = iter([494.0, 460.0, 9_999.0, 480.0, 470.0])

    def run(name: str) -> Iterator[Fields]:
        ran.append(name)
        if name == "crawl":
            yield row("crawl.pages", next(rates), 75.0)
            yield row("crawl.info.lag", 12)
        else:
            raise subprocess.CalledProcessError(2, "x", stderr="first\nbenchmarks: tantivy is missing\n")

    lines = table.write_table(["crawl", "query"], run).splitlines()
    assert ran == ["crawl", "query"] * RUNS
    assert "| crawl.pages | 480 (460–10,000) | scrapy | 75 | 6.4 |" in lines
    assert "| crawl.info.lag | 12 |  |  |  |" in lines
    assert lines[-1] == "Not measured: query: benchmarks: tantivy is missing."


def test_the_rest_of_the_page_stays() -> None:
    page = f"# Benchmarks\n\n{BEGIN}\n\nold\n\n{END}\n\n## More\n"
    assert table.replace_table(page, "new") == page.replace("old", "new")
    assert table.replace_table(page, "old") == page


def test_the_page_has_a_place_for_it() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page.count(BEGIN) == page.count(END) == 1
    assert page.index(BEGIN) < page.index(END)


def test_all_that_it_runs_are_there() -> None:
    assert set(BENCHMARKS) <= set(SUMMARIES)


def test_the_machine_is_described() -> None:
    described = table.describe_machine()
    assert " cores of " in described
    assert ", commit " in described


@pytest.mark.parametrize(
    ("value", "written"),
    [(0.01234, "0.0123"), (1.0, "1"), (99.94, "99.9"), (494.0, "494"), (1_977.4, "1,980"), (0.0, "0")],
)
def test_numbers_have_the_digits_that_repeat(value: float, written: str) -> None:
    assert table.format_number(value) == written


def test_an_unknown_benchmark_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert table.main(["rbots"]) == 2
    assert "unknown rbots; name some of crawl query" in capsys.readouterr().err
