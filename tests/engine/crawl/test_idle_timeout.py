"""When a crawl ends: nobody waits for a host that has nothing more to be asked."""

from contextlib import closing
from pathlib import Path

import pytest

from engine.crawl.idle_timeout import TIMEOUT_SECONDS, IdleTimeout
from tests.crawling import Clock, Web, crawl_of, run

DOWN, SLOW = "http://down.example", "http://slow.example"


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (500, "the only page of a host failed for good; its next turn would have come five minutes later"),
        (0, "the same of one that does not answer"),
        ([], "a host that answers slowly has no more pages"),
    ],
)
def test_a_crawl_does_not_wait_for_a_host_that_has_nothing_left(
    answer: int | list[str], why: str, tmp_path: Path
) -> None:
    clock = Clock()
    web = Web({f"{SLOW}/": answer}, robots={DOWN: (500, b"")}, seconds=20.0)
    crawl = crawl_of(tmp_path, clock, seeds=(f"{SLOW}/", f"{DOWN}/"))
    with closing(crawl.store):
        run(crawl, web, clock)
    last = max(at for at, url in web.log if SLOW in url)
    assert clock.now - last <= 2 * web.seconds + TIMEOUT_SECONDS, why
    assert crawl.frontier.host_queues.count_suspended() == 1, why


def test_hosts_that_are_suspended_are_tried_once_more_whenever_it_is_looked() -> None:
    """Scrapy looks every five seconds: shortly before a try that nobody waits for, too."""
    patience = IdleTimeout()
    assert not patience.is_over(100.0, 5.0, only_suspended=True), "one more try"
    assert not patience.is_over(104.0, 1.0, only_suspended=True), "it comes in a moment"
    assert patience.is_over(105.1, 10.0, only_suspended=True)
    assert patience.is_over(114.0, 1.1, only_suspended=True), (
        "the second comes too late, however near it is by now"
    )
    assert not patience.is_over(114.5, 0.0, only_suspended=False), "there is something to ask"
    assert not patience.is_over(120.0, 5.0, only_suspended=True), "a new beginning"
    assert patience.is_over(120.0, None, only_suspended=True), "nothing will come"
