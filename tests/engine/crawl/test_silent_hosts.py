"""Which seeds' hosts gave no answer at all in a run."""

from pathlib import Path

import pytest

from engine.commands.crawl import describe_hosts_left_out, describe_silent_hosts
from engine.crawl import Crawl
from engine.crawl.silent_hosts import SilentHosts, WaitingHost, find_waiting_hosts
from engine.middleware.fetching import ALLOW_PRIVATE, NO_ADDRESS
from engine.model.page import Claim, Fetch
from engine.store import DAY, match_target, parse_target, purge_urls
from engine.store.known_hosts import find_hosts_with_pages
from tests.crawling import HOST, Clock, Web, crawl_of, run

A, B, C = "http://a.example", "http://b.example", "http://c.example"
REFUSED = (0, "connection refused")


def told(seeds: str, *exchanges: tuple[str, int, str]) -> SilentHosts:
    """What is known after these exchanges, each of a host with a status and an error."""
    unanswered = SilentHosts(f"http://{name}.example/{name}" for name in seeds)
    for name, status, error in exchanges:
        host = f"http://{name}.example"
        unanswered.record(Fetch(Claim(1, f"{host}/", host), status, error=error))
    return unanswered


@pytest.mark.parametrize(
    ("seeds", "exchanges", "silent", "failed", "why"),
    [
        ("abc", (("a", *REFUSED), ("b", *REFUSED), ("c", 200, "")), [A, B], True, "two of three"),
        ("ab", (("a", *REFUSED), ("b", 200, "")), [A], True, "half is enough"),
        ("abc", (("a", *REFUSED), ("b", 200, ""), ("c", 200, "")), [A], False, "one of three"),
        ("aab", (("a", 200, ""), ("b", *REFUSED)), [B], True, "hosts count, not seeds"),
        ("a", (("a", 503, ""),), [], False, "an answer, if none that is liked"),
        ("a", (("a", *REFUSED), ("a", 404, "")), [], False, "it answered later"),
        ("a", (("a", 200, ""), ("a", *REFUSED)), [], False, "it answered before"),
        ("a", (("a", 0, "too large"),), [], False, "too much of an answer is one"),
        ("ab", (), [], False, "nobody was asked: all are not due, paused or removed"),
        ("abc", (("a", *REFUSED),), [A], False, "two were not asked"),
        ("a", (("a", 200, ""), ("x", *REFUSED), ("y", *REFUSED)), [], False, "no seeds' hosts"),
    ],
)
def test_who_is_silent(
    seeds: str, exchanges: tuple[tuple[str, int, str], ...], silent: list[str], failed: bool, why: str
) -> None:
    unanswered = told(seeds, *exchanges)
    assert list(unanswered.reasons) == silent, why
    assert set(unanswered.reasons.values()) <= {"connection refused"}
    assert unanswered.are_too_many([]) == failed, why


SILENT = {HOST: (0, b"")}
PAGES: dict[str, int | list[str]] = {f"{HOST}/": []}
DOWN: dict[str, int | list[str]] = {f"{HOST}/": 0}


def look_again(folder: Path, *webs: Web, removed: bool = False) -> tuple[Crawl, list[WaitingHost]]:
    """A crawl a second after as many others, in which nobody was asked; and who waits then."""
    clock = Clock()
    for web in webs:
        crawl = crawl_of(folder, clock)
        run(crawl, web, clock)
        crawl.close("finished")
        clock.now += 1.0
    last = crawl_of(folder, clock)
    if removed:
        with last.store.engine.begin() as connection:
            purge_urls(connection, match_target(parse_target("h.example")))
    with last.store.engine.connect() as connection:
        waiting = list(find_waiting_hosts(connection, last.silent_hosts.not_asked))
    return last, waiting


@pytest.mark.parametrize(
    ("webs", "waits", "failed", "why"),
    [
        ([Web(PAGES)], [], False, "it answers, and is not due"),
        ([Web({}, robots=SILENT)], [False], True, "it has never answered"),
        ([Web(DOWN)], [], False, "its robots.txt was answered: its pages are due in each crawl"),
        ([Web({}, robots={HOST: (503, b"")})], [], False, "an answer, if none that is liked"),
    ],
)
def test_who_waits_after_an_earlier_run(
    tmp_path: Path, webs: list[Web], waits: list[bool], failed: bool, why: str
) -> None:
    """Else a crawl that follows one with exit code 3 at once would end with 0, as nobody was asked."""
    crawl, waiting = look_again(tmp_path, *webs)
    assert [one.has_answered for one in waiting] == waits, why
    assert {one.host for one in waiting} <= {HOST}
    assert all(one.until > crawl.clock() for one in waiting), why
    assert crawl.silent_hosts.are_too_many(waiting) == failed, why


def test_who_has_answered_once_waits_without_a_failure(tmp_path: Path) -> None:
    """A host that is down for a night is asked again when it is time, and its pages stay."""
    clock = Clock()
    for web in (Web(PAGES), Web(DOWN, robots=SILENT)):
        crawl = crawl_of(tmp_path, clock)
        run(crawl, web, clock)
        crawl.close("finished")
        clock.now += 2 * DAY  # until its robots.txt is asked again
    crawl, waiting = look_again(tmp_path)
    assert [one.has_answered for one in waiting] == [True]
    assert not crawl.silent_hosts.are_too_many(waiting)


def test_who_was_removed_waits_for_nothing(tmp_path: Path) -> None:
    crawl, waiting = look_again(tmp_path, Web({}, robots=SILENT), removed=True)
    assert (waiting, crawl.silent_hosts.are_too_many(waiting)) == ([], False)


def test_half_of_the_hosts_is_enough(tmp_path: Path) -> None:
    """Silent ones of this run and waiting ones of earlier runs together."""
    unanswered = told("abcd", ("a", *REFUSED), ("b", 200, ""))
    assert not unanswered.are_too_many([])
    assert unanswered.not_asked == [C, "http://d.example"]
    answered = WaitingHost(C, "connection refused", 9.0, has_answered=True)
    assert not unanswered.are_too_many([answered])
    assert unanswered.are_too_many([answered, answered._replace(has_answered=False)])


def test_what_the_end_of_a_crawl_says() -> None:
    unanswered = told("ab", ("a", *REFUSED))
    waiting = [WaitingHost(f"http://{n}.example", "timeout", 1_800_000_000.0, False) for n in range(22)]
    lines = list(describe_silent_hosts(unanswered, waiting))
    assert lines[:2] == [
        "seeds' hosts that gave no answer at all in this run: 1",
        "  http://a.example (connection refused)",
    ]
    assert lines[2] == "seeds' hosts that gave no answer before, and wait for their next try: 22"
    assert lines[3] == "  http://0.example (timeout), until 2027-01-15T08:00:00+00:00"
    assert lines[-1] == "  and 2 more"
    assert list(describe_silent_hosts(told("a"), [])) == []


@pytest.mark.parametrize(
    ("error", "is_told", "why"),
    [
        (NO_ADDRESS, True, "an intranet's site, at the first try"),
        ("connection refused", False, "its address was not in the way"),
    ],
)
def test_the_end_of_a_crawl_says_how_a_private_address_is_allowed(
    error: str, is_told: bool, why: str
) -> None:
    lines = list(describe_silent_hosts(told("ab", ("a", *REFUSED), ("b", 0, error)), []))
    assert lines[1:3] == ["  http://a.example (connection refused)", f"  http://b.example ({error})"]
    assert lines[3:] == [ALLOW_PRIVATE] * is_told, why


@pytest.mark.parametrize(
    ("seeds", "left", "why"),
    [
        ([f"{A}/"], [B], "of this crawl's sites none has it any more"),
        ([f"{A}/", f"{B}/"], [], "both are visited again"),
    ],
)
def test_pages_of_a_host_that_no_site_names_any_more_are_told(
    tmp_path: Path, seeds: list[str], left: list[str], why: str
) -> None:
    clock, web = Clock(), Web({f"{A}/": [f"{A}/1"], f"{A}/1": [], f"{B}/": [], f"{C}/": 404})
    run(crawl_of(tmp_path, clock, seeds=(f"{A}/", f"{B}/", f"{C}/")), web, clock)
    crawl = crawl_of(tmp_path, clock, seeds=seeds)
    run(crawl, web, clock)
    with crawl.store.engine.connect() as connection:
        assert list(find_hosts_with_pages(connection)) == [A, B], "the third has no page"
    assert [host for host in (A, B) if not crawl.discovery.sites.admits(host)] == left, why
    assert any(B in line for line in describe_hosts_left_out(left)) == bool(left)


def test_many_hosts_that_no_site_names_are_counted() -> None:
    lines = list(describe_hosts_left_out(f"http://{number}.example" for number in range(1_022)))
    assert lines[0].endswith(": 1,022")
    assert lines[20:22] == ["  http://19.example", "  and 1,002 more"]
