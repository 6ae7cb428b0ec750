"""A robots.txt that changes between two runs, while the copy of it has not expired: it counts at once."""

from pathlib import Path

import pytest

from engine.frontier.host_queue import MAX_ROBOTS_AGE
from tests.crawling import HOST, Clock, Web, chain, crawl_of, run, states, step
from tests.simulation.test_missing_pages import stored

OPEN, SHUT = b"User-agent: *\nAllow: /\n", b"User-agent: *\nDisallow: /\n"
ROBOTS = f"{HOST}/robots.txt"
LONG = [("cache-control", "max-age=86400")]


def crawl_once(folder: Path, web: Web, clock: Clock) -> list[str]:
    """Crawls to the end; all that was asked."""
    web.log.clear()
    crawl = crawl_of(folder, clock)
    run(crawl, web, clock)
    crawl.store.close()
    return [url for _, url in web.log]


@pytest.mark.requirement(118, 121)
@pytest.mark.parametrize(
    ("later", "asked", "why"),
    [
        (MAX_ROBOTS_AGE + 60, True, "more than an hour, and its headers allow a day"),
        (20 * 3_600.0, True, "the next night, an hour or two early"),
        (MAX_ROBOTS_AGE - 600, False, "a run soon after"),
    ],
)
def test_a_new_run_asks_for_robots_txt_before_the_first_page(
    tmp_path: Path, later: float, asked: bool, why: str
) -> None:
    web = Web(chain("/", "/a", "/b"), {ROBOTS: LONG}, {HOST: (200, OPEN)})
    clock = Clock()
    crawl_once(tmp_path, web, clock)
    assert stored(tmp_path) == {f"{HOST}/", f"{HOST}/a", f"{HOST}/b"}
    web.robots = {HOST: (200, SHUT)}
    clock.now += later
    requests = crawl_once(tmp_path, web, clock)
    assert (requests == [ROBOTS]) is asked, why
    assert (ROBOTS in requests) is asked, why
    assert (stored(tmp_path) == set()) is asked, why


@pytest.mark.slow
def test_it_is_asked_for_once_a_run(tmp_path: Path) -> None:
    """A run that takes longer than an hour goes by the copy of its beginning, until that expires."""
    web = Web(chain("/", *(f"/{n}" for n in range(30))), {ROBOTS: LONG}, {HOST: (200, OPEN)}, seconds=200.0)
    clock = Clock()
    for _ in range(2):
        requests = crawl_once(tmp_path, web, clock)
        assert requests.count(ROBOTS) == 1
        assert requests[0] == ROBOTS
        assert len(requests) > 30


@pytest.mark.requirement(24)
@pytest.mark.parametrize("reason", ["", "shutdown"])
def test_a_run_that_was_stopped_and_goes_on_asks_again(tmp_path: Path, reason: str) -> None:
    """'': it was killed."""
    web, clock = Web(chain("/", "/a", "/b", "/c"), {ROBOTS: LONG}, {HOST: (200, OPEN)}), Clock()
    crawl = crawl_of(tmp_path, clock)
    while f"{HOST}/a" not in web.asked():
        step(crawl, web, clock)
    crawl.commit()
    if reason:
        crawl.close(reason)
    crawl.store.close()
    web.robots, clock.now = {HOST: (200, SHUT)}, clock.now + 2 * MAX_ROBOTS_AGE
    assert crawl_once(tmp_path, web, clock) == [ROBOTS]
    assert {state for state, _ in states(tmp_path).values()} <= {"disallowed", "stored", "skipped", "gone"}
    assert stored(tmp_path) == set()


@pytest.mark.requirement(114)
def test_who_asks_to_wait_is_not_asked_sooner(tmp_path: Path) -> None:
    """A robots.txt that cannot be had has its own time to be asked again."""
    web = Web(chain("/"), {ROBOTS: [("retry-after", "40000")]}, {HOST: (503, b"")})
    clock = Clock()
    assert crawl_once(tmp_path, web, clock) == [ROBOTS]
    clock.now += 2 * MAX_ROBOTS_AGE
    assert crawl_once(tmp_path, web, clock) == []
    web.robots, clock.now = {HOST: (404, b"")}, clock.now + 40_000
    assert crawl_once(tmp_path, web, clock)[0] == ROBOTS
