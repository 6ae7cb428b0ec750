"""A crawl that rests, on a fake clock: in quiet hours, and while more came than may come."""

import time
from dataclasses import replace
from pathlib import Path

import pytest

from engine.config import Hours
from engine.crawl import Limits
from engine.model.page import Claim, Fetch, Reading
from tests.crawling import EPOCH, HOST, Clock, Web, chain, crawl_of, run, step

PATHS = ("/", *(f"/{n}" for n in range(12)))
SIZE = 3_000  # bytes of each answer


class Heavy(Web):
    """A web whose answers have a size."""

    def fetch(self, claim: Claim, clock: Clock) -> tuple[Fetch, Reading | None]:
        fetch, read = super().fetch(claim, clock)
        return replace(fetch, received=SIZE, sent=100), read


def minutes_from_now(start: int, end: int) -> Hours:
    """Hours by the local clock, in minutes from EPOCH."""
    shown = time.localtime(EPOCH)
    now = shown.tm_hour * 60 + shown.tm_min
    return Hours((now + start) % 1440, (now + end) % 1440)


def test_nothing_is_asked_in_quiet_hours_and_the_crawl_waits(tmp_path: Path) -> None:
    """Not even robots.txt; the crawl does not end, however long it has to wait."""
    web, clock = Web(chain(*PATHS)), Clock()
    crawl = crawl_of(tmp_path, clock, Limits(quiet_hours=(minutes_from_now(-5, 400),)))
    assert crawl.claim() is None
    assert not crawl.is_finished()
    assert crawl.seconds_to_next() == 400 * 60
    run(crawl, web, clock)
    assert web.log[0] == (EPOCH + 400 * 60, f"{HOST}/robots.txt")
    assert len(web.asked()) == len(PATHS)


def test_a_crawl_rests_when_quiet_hours_begin(tmp_path: Path) -> None:
    """Own hosts are left alone, too; what had come until then is stored at once."""
    web, clock = Web(chain(*PATHS), seconds=20.0), Clock()
    crawl = crawl_of(tmp_path, clock, Limits(quiet_hours=(minutes_from_now(2, 62),)), own=True)
    while clock.now < EPOCH + 120:
        step(crawl, web, clock)
    asked = len(web.asked())
    assert 0 < asked < len(PATHS)
    while crawl.seconds_to_next() != pytest.approx(EPOCH + 62 * 60 - clock.now):
        assert step(crawl, web, clock)
    assert crawl.store.census().pages == asked
    run(crawl, web, clock)
    assert not [at for at, _ in web.log if EPOCH + 120 <= at < EPOCH + 62 * 60]
    assert len(web.asked()) == len(PATHS)


def test_hosts_that_are_down_keep_no_crawl_in_quiet_hours_either(tmp_path: Path) -> None:
    """What would end by day ends by night."""
    web, clock = Web({f"{HOST}/": 0}, robots={HOST: (503, b"")}), Clock()
    crawl = crawl_of(tmp_path, clock, Limits(quiet_hours=(minutes_from_now(1, 600),)))
    run(crawl, web, clock)
    assert clock.now < EPOCH + 60


def test_a_host_that_is_due_again_in_quiet_hours_is_waited_for(tmp_path: Path) -> None:
    """A crawl that would wait for it by day does not end by night."""
    web, clock = Web(chain("/"), robots={HOST: (503, b"")}), Clock()
    crawl = crawl_of(tmp_path, clock)
    run(crawl, web, clock)
    due = clock.now + (crawl.frontier.seconds_to_next(clock.now) or 0.0)
    web.log.clear()
    clock.now, web.robots = due - 4.0, {}
    begins = round((due - EPOCH) // 60) - 10
    run(crawl_of(tmp_path, clock, Limits(quiet_hours=(minutes_from_now(begins, begins + 300),))), web, clock)
    assert web.asked() == [f"{HOST}/"]
    assert web.log[0][0] >= due + 200 * 60


@pytest.mark.requirement(271)
@pytest.mark.parametrize(("own", "rate"), [(True, 1_000), (True, 100_000), (False, 100), (False, 100_000)])
def test_no_more_comes_than_may(tmp_path: Path, own: bool, rate: int) -> None:
    """Robots.txt and sitemaps count as pages do."""
    web, clock = Heavy(chain(*PATHS)), Clock()
    crawl = crawl_of(tmp_path, clock, Limits(bytes_per_second=rate), own=own)
    run(crawl, web, clock)
    assert len(web.asked()) == len(PATHS)
    for number, (at, url) in enumerate(web.log):
        # A second's worth may come at once, and what is under way then.
        assert number * SIZE <= rate * (at - EPOCH + 1) + SIZE, url
    counts = crawl.counters.counts
    assert (counts["bytes received"], counts["bytes sent"]) == (len(web.log) * SIZE, len(web.log) * 100)


def test_a_bandwidth_that_is_not_reached_slows_nothing(tmp_path: Path) -> None:
    ways = []
    for rate in (None, 1_000_000):
        web, clock = Heavy(chain(*PATHS)), Clock()
        run(crawl_of(tmp_path / str(rate), clock, Limits(bytes_per_second=rate)), web, clock)
        ways.append(web.log)
    assert ways[0] == ways[1]
