"""What a crawl says at its end."""

from contextlib import closing
from pathlib import Path

import pytest

from engine.report.summary import MAX_MISSING, census_object, crawl_summary
from engine.store.page_store import Store
from engine.store.runs import end_run, record_heartbeat, start_run
from tests.crawling import HOST, Clock, Web, crawl_of, run


@pytest.mark.parametrize(
    ("counts", "line", "why"),
    [
        ({"hosts suspended": 1}, "1 host was suspended: see the warnings above", "one"),
        ({"hosts suspended": 2_000}, "2,000 hosts were suspended: see the warnings above", "several"),
        (
            {"skipped: empty without scripts": 3},
            'pages of a [[site]] with render = "auto" are read as their scripts draw them',
            "who has never heard of it",
        ),
        ({"queued": 1}, "1 URL is still queued: run the same command to continue", "one URL"),
        ({"queued": 30}, "30 URLs are still queued: run the same command to continue", "several URLs"),
    ],
)
def test_what_is_left_to_do_is_said(tmp_path: Path, counts: dict[str, float], line: str, why: str) -> None:
    with closing(Store(tmp_path)) as store:
        with store.engine.begin() as connection:
            run = start_run(connection, "crawl", 100.0)
        plain = crawl_summary(store, tmp_path, run).split("\n")
        with store.engine.begin() as connection:
            record_heartbeat(connection, run, 101.0, counts)
            end_run(connection, run, 101.0, "finished")
        said = crawl_summary(store, tmp_path, run).split("\n")
    figures = ("duration", "  skipped")  # what the counts change besides
    assert [one for one in said if one not in plain and not one.startswith(figures)] == [line], why
    assert line not in plain


@pytest.mark.requirement(286)
@pytest.mark.parametrize(
    ("number", "first", "why"),
    [
        (1, "1 page is missing but can still be found", "one"),
        (2, "2 pages are missing but can still be found", "several"),
        (
            MAX_MISSING + 2,
            f"{MAX_MISSING + 2} pages are missing but can still be found",
            "more than are named",
        ),
    ],
)
def test_which_pages_wait_for_a_second_look(tmp_path: Path, number: int, first: str, why: str) -> None:
    """Their first 404 counts for nothing; with the second, an hour later, nothing is left to say."""
    paths = [f"{HOST}/{n:02}" for n in range(number)]
    answers: dict[str, int | list[str]] = {f"{HOST}/": list(paths), **{path: [] for path in paths}}
    web, clock = Web(answers), Clock()
    said = []
    for _ in range(3):
        crawl = crawl_of(tmp_path, clock)
        begun = clock.now
        run(crawl, web, clock)
        said.append(crawl_summary(crawl.store, tmp_path, crawl.run.id).split("\n"))
        assert census_object(crawl.store, tmp_path)["missing"] == number * (len(said) == 2), why
        crawl.store.close()
        web.answers |= dict.fromkeys(paths, 404)
        clock.now = begun + 3 * 3_600 + number * 100
    assert [[line for line in lines if "missing" in line] for lines in said[::2]] == [[], []], why
    at = next(n for n, line in enumerate(said[1]) if line.startswith(first))
    assert said[1][at].endswith(", until a crawl after the time shown finds the same again:")
    named = said[1][at + 1 : at + 1 + min(number, MAX_MISSING)]
    assert sorted(line.split(", ")[0] for line in named) == [f"  {url}" for url in paths[: len(named)]]
    assert ("  and 2 more" in said[1]) is (number > MAX_MISSING)
