"""What the crawl database says of the work to come, after crawls over a web that is a dict."""

from itertools import pairwise
from pathlib import Path

import pytest
import sqlalchemy as sa

from engine.crawl import Limits
from engine.database import hosts, open_database, open_empty_database, urls
from engine.robots import Verdict
from engine.store import survey
from engine.store.survey import (
    BREAK_SECONDS,
    RecentVisits,
    UrlCounts,
    count_all_urls,
    count_each_host,
    mean_url_length,
    measure_recent_visits,
)
from tests.crawling import EPOCH, HOST, Clock, Web, chain, crawl_of, run

OTHER = "http://other.example"
SITEMAP = f"""<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
{"".join(f"<url><loc>{HOST}/listed/{number}</loc></url>" for number in range(9))}</urlset>"""


def seen(folder: Path) -> tuple[RecentVisits, UrlCounts, dict[str, UrlCounts]]:
    engine = open_database(folder)
    with engine.connect() as connection:
        recent = measure_recent_visits(connection)
        by_host = {one.host: one.counts for one in count_each_host(connection, recent.since)}
        counts = count_all_urls(connection, recent.since)
    engine.dispose()
    return recent, counts, by_host


def crawled(folder: Path, web: Web, clock: Clock, pages: int | None = None) -> None:
    crawl = crawl_of(folder, clock, Limits(pages=pages), scope="any", own=True)
    run(crawl, web, clock)
    crawl.store.close()


def test_nothing_is_known_of_nothing() -> None:
    with open_empty_database().connect() as connection:
        assert measure_recent_visits(connection) == RecentVisits()
        assert count_all_urls(connection, 0.0) == UrlCounts()
        assert list(count_each_host(connection, 0.0)) == []
        assert mean_url_length(connection) == 0.0


@pytest.mark.requirement(274)
def test_counts_by_host_and_over_all(tmp_path: Path) -> None:
    """A voyage of so many pages, and what is known after it."""
    answers: dict[str, int | list[str]] = {
        f"{HOST}/": [f"{HOST}/a", f"{HOST}/gone", f"{OTHER}/"],
        f"{HOST}/a": [f"{HOST}/b", f"{HOST}/c"],
        f"{HOST}/gone": 410,
        f"{OTHER}/": [f"{OTHER}/x"],
    }
    crawled(tmp_path, Web(answers), Clock(), pages=3)
    recent, counts, by_host = seen(tmp_path)
    # The other host, at a stranger's pace, comes last; of each host /sitemap.xml is known, too, and no page.
    assert by_host[HOST] == UrlCounts(known=6, queued=0, visited=5, pages=2, bytes=2, recent=1, found=0)
    assert by_host[OTHER] == UrlCounts(known=3, queued=1, visited=1, pages=1, bytes=1, recent=1, found=1)
    assert counts == UrlCounts(known=9, queued=1, visited=6, pages=3, bytes=3, recent=2, found=1)
    assert recent.visits == 2


def test_robots_come_with_hosts_that_have_something_to_do(tmp_path: Path) -> None:
    web = Web({f"{HOST}/": [f"{OTHER}/"], f"{OTHER}/": [f"{OTHER}/x"]})
    crawled(tmp_path, web, Clock(), pages=2)
    engine = open_database(tmp_path)
    with engine.connect() as connection:
        robots = {one.host: one.robots for one in count_each_host(connection, 0.0)}
    engine.dispose()
    known = robots[OTHER]
    assert known is not None
    assert known.verdict is Verdict.ALLOW_ALL
    assert robots[HOST] is None


def test_what_is_queued_once_more_keeps_its_page(tmp_path: Path) -> None:
    web, clock = Web(chain("/", "/a", "/b")), Clock()
    crawled(tmp_path, web, clock)
    clock.now += 10 * 86_400
    crawl = crawl_of(tmp_path, clock, scope="any", own=True)
    crawl.close("shutdown")
    crawl.store.close()
    _, counts, _ = seen(tmp_path)
    assert (counts.pages, counts.revisits, counts.visited) == (3, 3, 3)
    assert counts.bytes == 3


def test_what_a_sitemap_lists_was_not_found_on_a_page(tmp_path: Path) -> None:
    answers: dict[str, int | list[str]] = {f"{HOST}/": [f"{HOST}/a"], f"{HOST}/a": []}
    answers |= {f"{HOST}/listed/{number}": [] for number in range(9)}
    crawled(tmp_path, Web(answers, sitemaps={f"{HOST}/sitemap.xml": SITEMAP}), Clock())
    engine = open_database(tmp_path)
    with engine.connect() as connection:
        assert count_all_urls(connection, 0.0).found == 1
    engine.dispose()


@pytest.mark.parametrize(
    ("gaps", "visits", "seconds", "why"),
    [
        ([], 1, 0.0, "one visit has no rate"),
        ([10.0] * 3, 1, 0.0, "the last quarter of four"),
        ([10.0] * 39, 10, 90.0, "the last quarter of forty"),
        ([10.0] * 35 + [BREAK_SECONDS + 1] + [10.0] * 3, 10, 80.0, "a night between two runs is no visit"),
        ([BREAK_SECONDS] * 39, 10, 9 * BREAK_SECONDS, "a host may be as slow as this"),
        ([1.0] * 4_999, survey.RECENT, 999.0, "not more than so many"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_the_last_visits(gaps: list[float], visits: int, seconds: float, why: str) -> None:
    times = [EPOCH]
    for gap in gaps:
        times.append(times[-1] + gap)
    assert all(later > earlier for earlier, later in pairwise(times))
    rows = [
        {"url": f"{HOST}/{number}", "host_id": 1, "state": "stored", "found_at": EPOCH, "visited_at": at}
        for number, at in enumerate(times)
    ]
    with open_empty_database().connect() as connection:
        connection.execute(sa.insert(hosts), {"id": 1, "host": HOST})
        connection.execute(sa.insert(urls), rows)
        recent = measure_recent_visits(connection)
        assert count_all_urls(connection, recent.since).recent == visits, why
        assert mean_url_length(connection) == pytest.approx(sum(len(row["url"]) for row in rows) / len(rows))  # type: ignore[arg-type, misc]
    assert (recent.visits, recent.seconds) == (visits, seconds), why
    assert recent.per_second == ((visits - 1) / seconds if seconds else 0.0)
