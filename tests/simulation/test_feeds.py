"""Feeds over weeks: when they are asked for, and what they lead to."""

from pathlib import Path

import pytest

from engine.crawl import Limits
from tests.crawling import EPOCH, HOST, Clock, Web, crawl_of, run, states, step
from tests.simulation.feeds import (
    DAY,
    FEED,
    HOUR,
    MINUTE,
    ONLY,
    crawl_all,
    look,
    made,
    opml,
    rss,
    visit,
)


def test_what_a_feed_names_is_visited_before_links(tmp_path: Path) -> None:
    clock = Clock()
    web = made(tmp_path, rss((f"{HOST}/a", EPOCH - DAY)), clock)
    assert web.asked() == [FEED, f"{HOST}/", f"{HOST}/a", f"{HOST}/page"]
    assert states(tmp_path)[f"{HOST}/a"] == ("stored", "")


def test_nothing_else_is_asked_again(tmp_path: Path) -> None:
    clock = Clock()
    web = made(tmp_path, rss((f"{HOST}/a", EPOCH - DAY)), clock)
    clock.now += 2 * DAY
    web.sitemaps = {FEED: rss((f"{HOST}/a", EPOCH - DAY), (f"{HOST}/b", clock.now - HOUR))}
    assert visit(tmp_path, web, clock) == [FEED, f"{HOST}/b"]
    web.log.clear()
    crawl_all(tmp_path, web, clock, feeds=(FEED,))
    assert {f"{HOST}/", f"{HOST}/page"} <= {*web.asked()}, "a crawl of all begins its round all the same"


RHYTHMS = [
    ("<ttl>30</ttl>", (), 30 * MINUTE, "as it says"),
    ("<ttl>0</ttl>", (), 5 * MINUTE, "not all the time"),
    ("<ttl>99999</ttl>", (), DAY, "once a day at least"),
    ("", (), HOUR, "it says nothing"),
    ("", tuple(HOUR * n for n in range(12)), 27 * MINUTE, "half of the time between its ten newest items"),
    ("", (DAY,) * 9, HOUR, "seldom: once an hour at least"),
    ("", (1.0,) * 20, 5 * MINUTE, "all the time"),
    ("", (-DAY,), HOUR, "a date that is yet to come tells no rhythm"),
]


@pytest.mark.parametrize(("about", "ages", "seconds", "why"), RHYTHMS, ids=[why for *_, why in RHYTHMS])
def test_its_own_rhythm(
    tmp_path: Path, about: str, ages: tuple[float, ...], seconds: float, why: str
) -> None:
    clock = Clock()
    items = [(f"{HOST}/{number}", EPOCH - age) for number, age in enumerate(ages)]
    web = Web({f"{HOST}/": []}, missing=[], sitemaps={FEED: rss(*items, about=about)}, seconds=0.0)
    crawl_all(tmp_path, web, clock, feeds=(FEED,))
    [asked_at] = [at for at, url in web.log if url == FEED]
    clock.now = asked_at + seconds - 1
    assert FEED not in visit(tmp_path, web, clock), why
    clock.now = asked_at + seconds + 1
    assert FEED in visit(tmp_path, web, clock), why


def test_a_feed_that_has_not_changed(tmp_path: Path) -> None:
    """A 304 says nothing of its rhythm: what it said last holds."""
    clock = Clock()
    web = Web({f"{HOST}/": [], FEED: 304}, sitemaps={FEED: rss(about="<ttl>30</ttl>")}, seconds=0.0)
    web.headers = {FEED: [("etag", '"x"')]}
    crawl_all(tmp_path, web, clock, feeds=(FEED,))
    web.sitemaps = {}
    web.log.clear()
    for _ in range(120):
        clock.now += MINUTE
        look(tmp_path, web, clock)
    assert web.asked() == [FEED] * 4


def test_an_own_feed_is_due_every_five_minutes(tmp_path: Path) -> None:
    """Whatever it says: who owns it wants what is new to be found."""
    clock = Clock()
    web = Web({f"{HOST}/": []}, sitemaps={FEED: rss(about="<ttl>600</ttl>")}, seconds=0.0)
    crawl_all(tmp_path, web, clock, feeds=(FEED,), own=True)
    web.log.clear()
    for _ in range(60):
        clock.now += MINUTE
        look(tmp_path, web, clock, own=True)
    assert web.asked().count(FEED) in (10, 11, 12)


def test_a_look_at_feeds_is_no_round_of_visits(tmp_path: Path) -> None:
    """What a crawl left goes on, and no page is due twice in its round."""
    clock = Clock()
    web = made(tmp_path, rss(), clock)
    rounds = []
    for limits in (ONLY, Limits(), ONLY, ONLY):
        clock.now += DAY
        crawl = crawl_of(tmp_path, clock, limits, feeds=(FEED,))
        run(crawl, web, clock)
        rounds.append(crawl.run.round.number)
    assert rounds == [1, 3, 3, 3]


def test_a_crawl_that_is_at_work_looks_at_feeds(tmp_path: Path) -> None:
    """It takes hours; what is new is not to wait for its end."""
    clock = Clock()
    pages = [f"{HOST}/{number}" for number in range(1_000)]
    web = Web({f"{HOST}/": pages}, missing=[], sitemaps={FEED: rss()})
    crawl = crawl_of(tmp_path, clock, feeds=(FEED,))
    while len(web.log) < 400:
        step(crawl, web, clock)
    web.sitemaps = {FEED: rss((f"{HOST}/new", clock.now))}
    began = clock.now
    while f"{HOST}/new" not in web.asked() and step(crawl, web, clock):
        pass
    assert clock.now - began < HOUR + 2 * MINUTE
    assert len(web.log) < 1_000


def test_a_page_is_not_asked_at_every_look(tmp_path: Path) -> None:
    """Whatever its feed says: it may be one of another host."""
    clock = Clock()
    web = made(tmp_path, rss((f"{HOST}/a", EPOCH - DAY), about="<ttl>5</ttl>"), clock)
    web.log.clear()
    for _ in range(36):
        clock.now += 5 * MINUTE
        web.sitemaps = {FEED: rss((f"{HOST}/a", clock.now), about="<ttl>5</ttl>")}
        look(tmp_path, web, clock)
    assert web.asked().count(FEED) > 20
    assert web.asked().count(f"{HOST}/a") in (2, 3)


CHANGES = [
    (HOUR, True, "changed since"),
    (-HOUR, False, "known in this form"),
    (3 * DAY, False, "a date that is yet to come: it would be asked at every look"),
]


@pytest.mark.parametrize(("after", "again", "why"), CHANGES, ids=[why for *_, why in CHANGES])
def test_a_page_that_changed(tmp_path: Path, after: float, again: bool, why: str) -> None:
    clock = Clock()
    web = made(tmp_path, rss((f"{HOST}/a", EPOCH - DAY)), clock)
    read_at = clock.now
    clock.now += DAY
    web.sitemaps = {FEED: rss((f"{HOST}/a", read_at + after))}
    assert visit(tmp_path, web, clock) == [FEED, *([f"{HOST}/a"] if again else [])], why
    clock.now += DAY
    assert visit(tmp_path, web, clock) == [FEED], why


@pytest.mark.parametrize("status", [301, 302, 404, 410, 500, 0])
def test_a_feed_that_is_not_there(tmp_path: Path, status: int) -> None:
    """It is asked again, and not all the time."""
    clock = Clock()
    headers = {FEED: [("location", f"{HOST}/moved")]} if status in (301, 302) else {}
    web = Web({f"{HOST}/": [], FEED: status}, headers=headers, sitemaps={})
    crawl_all(tmp_path, web, clock, feeds=(FEED,))
    web.log.clear()
    for _ in range(60):
        clock.now += 4 * MINUTE
        look(tmp_path, web, clock)
    asked = [url for url in web.asked() if url == FEED]
    assert len(asked) <= 30, "every five minutes at most"
    web.answers[FEED] = []
    web.sitemaps = {FEED: rss((f"{HOST}/a", clock.now))}
    clock.now += 40 * DAY
    assert FEED in visit(tmp_path, web, clock)


def test_a_look_that_goes_on_knows_what_it_asked_itself(tmp_path: Path) -> None:
    """Its counts are those of the look that was stopped, too."""
    clock = Clock()
    web = made(tmp_path, rss(), clock)
    asked = []
    for seconds, answer in ((HOUR, 200), (MINUTE, 200), (HOUR, 0)):
        clock.now += seconds
        web.answers[FEED], web.sitemaps = answer, {FEED: rss()} if answer else {}
        crawl = crawl_of(tmp_path, clock, ONLY, feeds=(FEED,))
        while step(crawl, web, clock):
            pass
        crawl.close("shutdown")
        crawl.store.close()
        asked.append((crawl.counters.asked > 0, crawl.counters.counts["fetched"] > 0))
    assert asked == [(True, True), (False, True), (True, True)], "asked, whether it answers or not"


def test_what_is_named_no_longer_is_not_asked_for(tmp_path: Path) -> None:
    clock = Clock()
    web = made(tmp_path, opml(f"{HOST}/more"), clock)
    web.sitemaps = {**web.sitemaps, f"{HOST}/more": rss()}
    clock.now += DAY
    assert visit(tmp_path, web, clock) == [FEED, f"{HOST}/more"]
    clock.now += DAY
    assert visit(tmp_path, web, clock, feeds=()) == []
    web.log.clear()
    crawl_all(tmp_path, web, clock)
    assert FEED not in web.asked()
    clock.now += DAY
    assert FEED in visit(tmp_path, web, clock), "named again"


def test_a_page_that_becomes_a_feed(tmp_path: Path) -> None:
    """It was found by a link before somebody named it."""
    clock = Clock()
    web = Web({f"{HOST}/": [FEED], FEED: [], f"{HOST}/a": []})
    crawl_all(tmp_path, web, clock)
    web.sitemaps = {FEED: rss((f"{HOST}/a", EPOCH))}
    clock.now += DAY
    assert visit(tmp_path, web, clock) == [FEED, f"{HOST}/a"]


def test_a_sitemap_that_becomes_a_feed(tmp_path: Path) -> None:
    """Its robots.txt names it, and then the operator, too: it has its own rhythm from then on."""
    clock = Clock()
    web = Web({f"{HOST}/": [], f"{HOST}/a": []}, robots={HOST: (200, f"Sitemap: {FEED}".encode())})
    web.sitemaps = {FEED: rss(about="<ttl>30</ttl>")}
    crawl_all(tmp_path, web, clock)
    clock.now += DAY
    web.sitemaps = {FEED: rss((f"{HOST}/a", EPOCH), about="<ttl>30</ttl>")}
    assert visit(tmp_path, web, clock) == [FEED, f"{HOST}/a"]
    clock.now += 31 * MINUTE
    assert visit(tmp_path, web, clock) == [FEED]
