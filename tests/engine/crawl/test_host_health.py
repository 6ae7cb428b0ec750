"""Hosts that bring nothing but copies or errors, on a fake clock: slowed, given up, and the honest spared."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.crawl import Crawl
from engine.frontier.host_record import GIVEN_UP, MAX_ERRORS, NEW_TEXT, STEP, WINDOW, HostRecord
from engine.model.page import Claim, Fetch, Reading
from engine.store.suspects import load_suspects
from tests.crawling import HOST, Clock, Web, crawl_of, run, states


def site(pages: int, copies: int, last: Sequence[str] = ()) -> Web:
    """A list that links to its pages, each to its copies, which have its text and a link of their own."""
    start = f"{HOST}/"
    web = Web({start: [f"{HOST}/{n}" for n in range(pages)] + [f"{HOST}{path}" for path in last]})
    for n in range(pages):
        web.answers[f"{HOST}/{n}"] = [f"{HOST}/{n}/copy{m}" for m in range(copies)]
        for m in range(copies):
            web.answers[f"{HOST}/{n}/copy{m}"] = [f"{HOST}/{n}/more"]
            web.said[f"{HOST}/{n}/copy{m}"] = {"fingerprint": b"%d" % n}
        web.said[f"{HOST}/{n}"] = {"fingerprint": b"%d" % n}
    return web


def suspects(crawl: Crawl) -> Mapping[str, tuple[str, int]]:
    """By rule: what would be blocked, and how often it was seen."""
    with crawl.store.engine.connect() as connection:
        seen = [one.seen for one in load_suspects(connection)]
    return {one.rule: (one.target.text, one.times) for one in seen}


@pytest.mark.requirement(41, 53)
def test_a_host_of_copies_is_slowed_and_then_given_up(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """New URLs that keep yielding duplicates; what waits there stays queued."""
    web, clock = site(1, 1_000), Clock()
    crawl = crawl_of(tmp_path, clock, profile="brisk")
    with caplog.at_level(logging.WARNING, "lycosa"):
        run(crawl, web, clock)
    asked = web.asked()
    most = GIVEN_UP + 2 + 2 * NEW_TEXT
    assert len(asked) <= most, "two pages with text of their own first"
    gaps = [b - a for (a, _), (b, _) in pairwise(web.log)]
    for doubled in range(4):
        # Before the copies come robots.txt, a sitemap and two pages, which make up for six; what waits for
        # its commit is not known yet.
        there = gaps[STEP * doubled + 13 : STEP * (doubled + 1) + 9]
        assert {round(gap) for gap in there} == {2**doubled}
    assert sum("copies or errors" in line for line in caplog.messages) == 4
    assert [state for state, _ in states(tmp_path).values()].count("queued") == 1_002 - len(asked)
    assert suspects(crawl) == {"duplicates": (HOST, 1)}
    assert crawl.frontier.host_queues.count_suspended() == 1


@pytest.mark.slow
def test_what_a_host_of_copies_has_besides_is_had_by_the_next_crawls(tmp_path: Path) -> None:
    """No page is lost for ever: each crawl goes on where the last one gave up."""
    clock = Clock()
    for _ in range(2 + 1):
        web = site(1, 2 * GIVEN_UP)
        run(crawl_of(tmp_path, clock, profile="brisk"), web, clock)
    assert "queued" not in {state for state, _ in states(tmp_path).values()}


@pytest.mark.slow
def test_another_host_is_not_kept_waiting(tmp_path: Path) -> None:
    web, clock = site(1, 1_000), Clock()
    other = [f"http://o.example/{n}" for n in range(300)]
    web.answers |= {url: [] for url in other} | {"http://o.example/": other}
    run(crawl_of(tmp_path, clock, seeds=(f"{HOST}/", "http://o.example/"), profile="brisk"), web, clock)
    assert set(other) <= set(web.asked())


@pytest.mark.slow
@pytest.mark.parametrize("copies", [1, NEW_TEXT])
def test_a_site_with_copies_of_each_page_is_read_in_full(tmp_path: Path, copies: int) -> None:
    """Mirrors inside one site: all of it, at its usual pace, and again by the second crawl."""
    pages = GIVEN_UP * 5 // 4 // copies
    clock = Clock()
    for _ in range(2):
        web = site(pages, copies)
        crawl = crawl_of(tmp_path, clock, profile="brisk")
        run(crawl, web, clock)
        assert len(web.asked()) == 1 + pages * (1 + copies)
        assert clock.now - web.log[0][0] == pytest.approx(len(web.log), rel=0.6)
        assert not suspects(crawl)
        clock.now += 86_400.0


@pytest.mark.requirement(62, 86)
def test_a_host_of_errors_is_slowed_until_it_recovers(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """More than 30 % of the last 50 answers; one warning, the pause doubled for a while."""
    web, clock = Web({f"{HOST}/": [f"{HOST}/{n:03}" for n in range(200)]}), Clock()
    for n in range(200):
        web.answers[f"{HOST}/{n:03}"] = 404 if n < 60 and n % 2 else []
    crawl = crawl_of(tmp_path, clock, profile="brisk")
    with caplog.at_level(logging.WARNING, "lycosa"):
        run(crawl, web, clock)
    assert len(web.asked()) == 201
    gaps = [b - a for (a, _), (b, _) in pairwise(web.log[2:])]
    slow = [at for at, gap in enumerate(gaps) if gap > 1.5]
    assert min(slow) == WINDOW
    assert slow == list(range(min(slow), max(slow) + 1)), "one stretch"
    # 30 errors in 60 answers: when 20 of the good ones have followed, 15 are left in the window.
    assert max(slow) < 60 + 2 * MAX_ERRORS
    assert sum("answers were errors" in line for line in caplog.messages) == 1
    assert suspects(crawl) == {"errors": (HOST, 1)}


class Hesitant(Web):
    """Each page that is linked is there only for who asks again."""

    def fetch(self, claim: Claim, clock: Clock) -> tuple[Fetch, Reading | None]:
        before = claim.url in self.asked()
        fetch, read = super().fetch(claim, clock)
        return (fetch, read) if before or not read or not claim.depth else (replace(fetch, status=503), None)


@pytest.mark.slow
def test_what_is_to_be_tried_again_has_not_brought_nothing_yet(tmp_path: Path) -> None:
    """Every other link is stale, which slows the host; the others lead to pages: it is not left for them."""
    urls = [f"{HOST}/{n:03}" for n in range(2 * GIVEN_UP - STEP)]
    pages = urls[::2]
    web, clock = Hesitant({f"{HOST}/": urls, **{url: [] for url in pages}}), Clock()
    crawl = crawl_of(tmp_path, clock, profile="brisk")
    run(crawl, web, clock)
    assert {states(tmp_path)[url] for url in pages} == {("stored", "")}
    assert set(suspects(crawl)) == {"errors"}


@pytest.mark.requirement(86)
def test_few_errors_slow_nobody(tmp_path: Path) -> None:
    """30 % is not more than 30 %."""
    record = HostRecord()
    for n in range(10 * WINDOW):
        record.add(error=n % 10 < 3, weight=0)
        assert not record.doublings


@given(st.lists(st.booleans(), max_size=400))
def test_a_host_is_slowed_only_for_copies_that_its_pages_do_not_make_up_for(copies: list[bool]) -> None:
    record = HostRecord()
    for seen, copy in enumerate(copies, 1):
        record.add(error=False, weight=1 if copy else -NEW_TEXT)
        balance = sum(1 if one else -NEW_TEXT for one in copies[:seen])
        assert record.score >= max(balance, 0)
        if record.steps:
            record.cap_score(copies[:seen].count(False), copies[:seen].count(True))
            assert record.score == balance or record.steps == 0 or balance > record.score
        assert record.doublings <= max(balance, 0) // STEP


@pytest.mark.slow
@pytest.mark.requirement(86)
@pytest.mark.parametrize(
    ("answer", "own", "slowed", "why"),
    [
        (404, True, False, "a stale link is the fault of a page"),
        (410, True, False, "and so is one to what has gone"),
        (403, True, False, "a page that is not for us says nothing of its host"),
        (500, True, True, "a server that is broken"),
        (429, True, True, "a server that says so itself"),
        (404, False, True, "a stranger is not asked for so much that is not there"),
    ],
)
def test_what_slows_a_host(tmp_path: Path, answer: int, own: bool, slowed: bool, why: str) -> None:
    """Half of its links lead nowhere; the pause and the times at once tell."""
    web, clock = Web({f"{HOST}/": [f"{HOST}/{n:03}" for n in range(200)]}), Clock()
    for n in range(200):
        web.answers[f"{HOST}/{n:03}"] = answer if n % 2 else []
    crawl = crawl_of(tmp_path, clock, own=own, profile="brisk")
    run(crawl, web, clock)
    line = crawl.frontier.host_queues.get(HOST)
    assert line
    assert bool(line.record.doublings or line.fails) == slowed, why


@pytest.mark.slow
def test_an_own_host_of_nothing_but_stale_links_is_asked_to_the_last(tmp_path: Path) -> None:
    """Far more broken links than pages: it is neither slowed nor given up."""
    stale = [f"{HOST}/{n:03}" for n in range(3 * GIVEN_UP)]
    web, clock = Web({f"{HOST}/": stale}), Clock()
    crawl = crawl_of(tmp_path, clock, own=True)
    run(crawl, web, clock)
    assert set(stale) <= set(web.asked())
    assert clock.now - web.log[0][0] < 0.2 * len(web.log)
    assert not suspects(crawl)
