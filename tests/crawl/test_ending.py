"""When a crawl ends: nobody waits for a host that has nothing more to be asked."""

from contextlib import closing
from pathlib import Path

import pytest

from engine.crawl.crawl import PATIENCE
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
    assert clock.now - last <= 2 * web.seconds + PATIENCE, why
    assert crawl.frontier.lines.left_alone() == 1, why
