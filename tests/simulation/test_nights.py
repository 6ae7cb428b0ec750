"""Night after night on a fake clock: whatever waits somewhere, every living host is asked for all it has."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from engine.crawl import Limits
from engine.store.blocklist import add_block, lift_block, load_blocklist, parse_target
from engine.store.removals import match_target, purge_urls, restore_urls
from engine.store.wanted import queue_recrawl
from tests.crawling import step
from tests.simulation.nights import HOSTS, PAGES, STEPS, A, B, C, D, E, Nights, pages


def test_five_nights(tmp_path: Path) -> None:
    """One host dead throughout, one that dies in the third night, one submission a night."""
    nights = Nights(tmp_path)
    nights.take_down(A)
    submitted: set[str] = set()
    for night in range(1, 6):
        if night > 1:
            submitted.add(f"{C}/submitted/{night}")
            nights.submit(f"{C}/submitted/{night}")
        dies_at = 9 if night == 3 else -1

        def meanwhile(step: int, dies_at: int = dies_at) -> None:
            if step == dies_at:
                nights.take_down(B)

        asked = nights.night(meanwhile)
        living = (C, D, E) if night > 2 else (B, C, D, E)
        assert pages(*living) | submitted <= set(asked), f"night {night}"
        assert len([url for url in asked if url.startswith((C, D, E))]) == 3 * PAGES + len(submitted), "once"
        assert len([url for url in asked if url.startswith(A)]) == 0, "its robots.txt was asked alone"
    robots = [url for _, url in nights.web.log if url == f"{A}/robots.txt"]
    assert len(robots) == 1


def submits(nights: Nights) -> None:
    """`scrapy submit` of a new URL."""
    nights.submit(f"{B}/new")


def submits_to_the_dead(nights: Nights) -> None:
    """`scrapy submit` of a URL of a host that is down."""
    nights.submit(f"{A}/new")


def recrawls(nights: Nights) -> None:
    """`scrapy recrawl` of one URL."""
    nights.change(lambda connection: queue_recrawl(connection, parse_target(f"{B}/1")))


def removes_and_undoes(nights: Nights) -> None:
    """`scrapy remove`, and `--undo`."""

    def both(connection: sa.Connection) -> None:
        target = parse_target(f"{B}/1")
        number = add_block(connection, target, "asked", "", nights.clock.now)
        purge_urls(connection, match_target(target))
        lift_block(connection, number, nights.clock.now)
        restore_urls(connection, target, load_blocklist(connection))

    nights.change(both)


@pytest.mark.slow
@pytest.mark.parametrize("dead", [(), (A,), (A, E)])
@pytest.mark.parametrize("act", [submits, submits_to_the_dead, recrawls, removes_and_undoes])
def test_what_waits_somewhere_keeps_nobody_from_being_asked(
    tmp_path: Path, act: Callable[[Nights], None], dead: tuple[str, ...]
) -> None:
    """And what was queued by hand comes first of its host."""
    nights = Nights(tmp_path)
    for host in dead:
        nights.take_down(host)
    living = [host for host in HOSTS if host not in dead]
    assert pages(*living) <= set(nights.night())
    for _ in range(2):
        act(nights)
        asked = nights.night()
        assert pages(*living) <= set(asked)
        assert len(asked) == len(set(asked)), "each once"
        first = next(url for url in asked if url.startswith(B))
        assert act is submits_to_the_dead or first in (f"{B}/new", f"{B}/1")
        act = recrawls


@pytest.mark.slow
@pytest.mark.parametrize("reason", ["", "shutdown"])
@pytest.mark.parametrize("steps", [3, 9, 25, 60])
def test_who_is_stopped_goes_on_without_asking_twice(tmp_path: Path, reason: str, steps: int) -> None:
    """'': kill -9. What was not committed yet is asked again: of each living host one page at most."""
    nights = Nights(tmp_path)
    nights.take_down(A)
    nights.night()
    nights.dawn()
    crawl = nights.begin()
    for _ in range(steps):
        step(crawl, nights.web, nights.clock)
    nights.end(crawl, reason)
    nights.finish(nights.begin())
    asked = nights.web.asked()
    assert pages(B, C, D, E) <= set(asked)
    assert len(asked) - len(set(asked)) <= 4
    assert pages(B, C, D, E) <= set(nights.night()), "and the night after that"


@pytest.mark.parametrize("reason", ["", "shutdown"])
def test_who_was_stopped_last_night_asks_everything_tonight(tmp_path: Path, reason: str) -> None:
    """What was left goes first, what was asked a day ago is asked again."""
    nights = Nights(tmp_path)
    nights.take_down(A)
    nights.night()
    nights.dawn()
    crawl = nights.begin()
    while len(nights.web.asked()) < 8:
        step(crawl, nights.web, nights.clock)
    before = set(nights.web.asked())
    nights.end(crawl, reason)
    asked = nights.night()
    assert sorted(asked) == sorted(pages(B, C, D, E)), "each once"
    first = [next(url for url in asked if url.startswith(host)) for host in (B, C, D, E)]
    assert not before & set(first)


def test_a_host_that_comes_back(tmp_path: Path) -> None:
    """It died in the middle of a night: what it owes comes first, and then all of it in the same night."""
    nights = Nights(tmp_path)
    nights.night()
    nights.night(lambda number: nights.take_down(B) if number == 20 else None)
    assert pages(A, C, D, E) <= set(nights.night())
    nights.set_up(B)
    assert sorted(nights.night()) == sorted(pages(*HOSTS))


def test_a_robots_txt_that_cannot_be_had_for_two_nights(tmp_path: Path) -> None:
    nights = Nights(tmp_path)
    nights.night()
    nights.web.robots = {**nights.web.robots, B: (503, b"")}
    for _ in range(2):
        assert sorted(nights.night()) == sorted(pages(A, C, D, E))
    nights.set_up(B)
    assert sorted(nights.night()) == sorted(pages(*HOSTS))


@pytest.mark.slow
@pytest.mark.parametrize("stopped", [True, False])
def test_a_site_that_is_new_in_the_third_night(tmp_path: Path, stopped: bool) -> None:
    """Also where the crawl of that night is one that was stopped and goes on."""
    nights = Nights(tmp_path, HOSTS[:4])
    nights.take_down(A)
    nights.night()
    nights.night()
    nights.hosts = HOSTS
    nights.set_up(E)
    if stopped:
        nights.hosts = HOSTS[:4]
        nights.dawn()
        crawl = nights.begin()
        step(crawl, nights.web, nights.clock)
        nights.end(crawl, "shutdown")
        nights.hosts = HOSTS
        nights.finish(nights.begin())
        assert pages(B, C, D, E) <= set(nights.web.asked())
    for _ in range(2):
        assert sorted(nights.night()) == sorted(pages(B, C, D, E))


def test_a_site_that_is_left_out_for_a_while_is_asked_when_it_is_back(tmp_path: Path) -> None:
    """Also by a crawl that was begun without it, stopped, and goes on with it."""
    nights = Nights(tmp_path)
    nights.take_down(A)
    nights.night()
    nights.hosts = HOSTS[:4]
    nights.dawn()
    crawl = nights.begin()
    step(crawl, nights.web, nights.clock)
    nights.end(crawl, "shutdown")
    nights.hosts = HOSTS
    nights.finish(nights.begin())
    assert sorted(nights.web.asked()) == sorted(pages(B, C, D, E))


def test_two_processes(tmp_path: Path) -> None:
    """Begun together, one of them killed in the middle: all is asked by one or the other."""
    nights = Nights(tmp_path)
    nights.take_down(A)
    nights.night()
    for killed in (False, True):
        nights.dawn()
        first, second = nights.begin(), nights.begin()
        for number in range(STEPS):
            step(second, nights.web, nights.clock)
            if killed and number == 12:
                nights.end(first, "")
            if killed and number >= 12:
                if second.is_finished():
                    break
            elif not step(first, nights.web, nights.clock) and second.is_finished():
                nights.end(first)
                break
        nights.end(second)
        asked = nights.web.asked()
        assert pages(B, C, D, E) <= set(asked)
        assert len(asked) - len(set(asked)) <= 2 * killed


def test_a_crawl_of_so_many_pages_goes_on_where_it_was(tmp_path: Path) -> None:
    """`-a max_pages`: what it had is not asked again before the rest was, and nobody is forgotten."""
    nights = Nights(tmp_path, limits=Limits(pages=10))
    nights.take_down(A)
    asked = nights.night() + nights.night()
    assert len(set(asked)) == len(asked) == 20
    asked += nights.night()
    assert pages(B, C, D, E) <= set(asked)
    for _ in range(4):
        asked = [url for _ in range(3) for url in nights.night()]
        assert pages(B, C, D, E) <= set(asked), "in three nights everything, and so on"


def test_only_what_has_had_its_rest(tmp_path: Path) -> None:
    """`-a revisit=1`, with a host that is down and a URL that was submitted."""
    nights = Nights(tmp_path, limits=Limits(due_only=True))
    nights.take_down(A)
    heard = []
    for _ in range(6):
        submits_to_the_dead(nights)
        heard.append(sorted(nights.night()))
    everything = sorted(pages(B, C, D, E))
    assert heard == [everything, everything, [], everything, [], []], "rests of one day, two, four"


@pytest.mark.sqlite
def test_a_database_that_has_waited_for_a_dead_host_goes_on(tmp_path: Path) -> None:
    """One of version 7, in which what is queued knows of no turn, and hosts of no round."""
    nights = Nights(tmp_path)
    nights.take_down(A)
    nights.night()
    with closing(sqlite3.connect(tmp_path / "crawl.db")) as old:
        old.execute("DROP INDEX urls_in_turn")
        for table, column in (("urls", "turn"), ("hosts", "round"), ("runs", "round")):
            old.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
        old.execute("CREATE INDEX urls_in_line ON urls (host_id, fails) WHERE state = 'queued'")
        old.execute("PRAGMA user_version=7")
    for _ in range(2):
        assert sorted(nights.night()) == sorted(pages(B, C, D, E))
    with closing(sqlite3.connect(tmp_path / "crawl.db")) as new:
        indexes = [row[1] for row in new.execute("PRAGMA index_list(urls)")]
    assert {"urls_in_turn", "urls_in_line"} & set(indexes) == {"urls_in_turn"}
