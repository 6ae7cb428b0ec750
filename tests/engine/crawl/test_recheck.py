"""New rules of a host with many pages: judged slice by slice, and to the end, whatever happens in between."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest
import sqlalchemy as sa

from engine.crawl import Crawl, recheck
from engine.database import hosts, open_database, pages, urls, write_transaction
from engine.model.page import State
from tests.crawling import HOST, Clock, Web, chain, crawl_of, run, states, step

DAY = 86_400.0
PATHS = [f"/{'a' if number % 2 else 'b'}/{number}" for number in range(40)]
FORBIDDEN = {f"{HOST}{path}" for path in PATHS if path.startswith("/a/")}
RULES = {HOST: (200, b"User-agent: *\nDisallow: /a/")}


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Judging one page takes so long that a slice has two of them."""
    ticks: Iterator[float] = (number * recheck.SLICE_SECONDS / 2 for number in count())
    monkeypatch.setattr("engine.crawl.recheck.time.monotonic", lambda: next(ticks))
    monkeypatch.setattr(recheck.drop_slice, "__defaults__", (lambda: next(ticks),))


def crawled(folder: Path, clock: Clock) -> Web:
    """Forty pages; the next robots.txt forbids half of them."""
    web = Web(chain("/", *PATHS))
    run(crawl_of(folder, clock), web, clock)
    assert {states(folder)[url][0] for url in FORBIDDEN} == {State.STORED}
    web.robots = RULES
    clock.now += 2 * DAY
    return web


def there(folder: Path) -> set[str]:
    """The URLs of all pages that are kept."""
    engine = open_database(folder)
    with engine.connect() as connection:
        kept = set(
            connection.execute(sa.select(urls.c.url).join(pages, pages.c.url_id == urls.c.id)).scalars()
        )
    engine.dispose()
    return kept


def left(folder: Path) -> int:
    """How many of the forbidden pages are not there any more."""
    return len(FORBIDDEN - there(folder))


def pending(crawl: Crawl) -> list[int | None]:
    with crawl.store.engine.connect() as connection:
        return list(connection.execute(sa.select(hosts.c.rechecked)).scalars())


def to_robots(crawl: Crawl, web: Web, clock: Clock) -> None:
    web.log.clear()
    while not web.log:
        step(crawl, web, clock)
    assert web.log[-1][1].endswith("/robots.txt")


@pytest.mark.usefixtures("slow")
def test_a_slice_is_short_and_the_next_goes_on(tmp_path: Path) -> None:
    clock = Clock()
    web = crawled(tmp_path, clock)
    crawl = crawl_of(tmp_path, clock)
    to_robots(crawl, web, clock)
    assert left(tmp_path) < len(FORBIDDEN)
    (judged,) = pending(crawl)
    assert judged
    assert judged < len(PATHS)
    assert not crawl.is_finished()
    run(crawl, web, clock)
    assert left(tmp_path) == len(FORBIDDEN)
    assert pending(crawl) == [None]


@pytest.mark.usefixtures("slow")
@pytest.mark.parametrize("answer", [RULES[HOST], (503, b"")], ids=["as it was", "no answer any more"])
def test_the_next_run_goes_on_where_one_was_killed(tmp_path: Path, answer: tuple[int, bytes]) -> None:
    """What is forbidden leaves, and nothing else, though the host says the same again, or nothing at all."""
    clock = Clock()
    web = crawled(tmp_path, clock)
    killed = crawl_of(tmp_path, clock)
    to_robots(killed, web, clock)
    assert left(tmp_path) < len(FORBIDDEN)
    killed.store.close()
    web.robots = {HOST: answer}
    clock.now += 2 * DAY
    run(crawl_of(tmp_path, clock), web, clock)
    assert there(tmp_path) == web.answers.keys() - FORBIDDEN


@pytest.mark.usefixtures("slow")
def test_a_run_that_may_ask_for_no_page_judges_to_the_end(tmp_path: Path) -> None:
    clock = Clock()
    web = crawled(tmp_path, clock)
    crawl = crawl_of(tmp_path, clock)
    to_robots(crawl, web, clock)
    crawl._limits = replace(crawl._limits, pages=0)
    run(crawl, web, clock)
    assert left(tmp_path) == len(FORBIDDEN)


@pytest.mark.usefixtures("slow")
def test_rules_that_change_again_are_judged_from_the_first_page(tmp_path: Path) -> None:
    clock = Clock()
    web = crawled(tmp_path, clock)
    crawl = crawl_of(tmp_path, clock)
    to_robots(crawl, web, clock)
    with write_transaction(crawl.store.engine) as connection:
        rules = crawl.frontier.host_queues.robots(HOST)
        assert rules
        everything = replace(rules, body=b"User-agent: *\nDisallow: /")
        crawl.permissions.update_robots(connection, HOST, everything, clock.now)
    run(crawl, web, clock)
    assert {state for url, (state, _) in states(tmp_path).items() if url in web.answers} == {State.DISALLOWED}
    assert pending(crawl) == [None]


def test_a_host_of_which_nothing_is_known_any_more_holds_up_nobody(tmp_path: Path) -> None:
    clock = Clock()
    web = crawled(tmp_path, clock)
    web.robots = {HOST: (503, b"")}
    crawl = crawl_of(tmp_path, clock)
    with write_transaction(crawl.store.engine) as connection:
        connection.execute(sa.update(hosts).values(rechecked=0))
    to_robots(crawl, web, clock)
    for _ in range(9):
        step(crawl, web, clock)
    assert not crawl.permissions.recheck.pending
