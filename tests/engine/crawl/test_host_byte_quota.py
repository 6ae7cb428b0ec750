"""A host gives so many pages a day, and goes on the next."""

from pathlib import Path

import pytest

from engine.crawl import Limits
from engine.frontier.daily_quota import DAY
from tests.crawling import HOST, Clock, Web, crawl_of, run

PAGES = 200


def web_of() -> Web:
    pages: dict[str, int | list[str]] = {
        f"{HOST}/{n or ''}": [f"{HOST}/{n + 1}", f"{HOST}/{n + 2}"] for n in range(PAGES)
    }
    return Web(pages)


@pytest.mark.slow
@pytest.mark.requirement(44)
def test_so_many_pages_a_day(tmp_path: Path) -> None:
    """Fifty of two hundred on each day, in however many crawls."""
    web, clock = web_of(), Clock()
    by_day = []
    for _ in range(5):
        web.log.clear()
        run(crawl_of(tmp_path, clock, Limits(host_pages_per_day=50)), web, clock)
        run(crawl_of(tmp_path, clock, Limits(host_pages_per_day=50)), web, clock)
        by_day.append(len(web.asked()))
        clock.now = (clock.now // DAY + 1) * DAY
    assert by_day[:4] == [50, 50, 50, 50]
    assert len(set(web.asked())) == len(web.asked())


@pytest.mark.requirement(44)
def test_an_own_host_too(tmp_path: Path) -> None:
    """With eight requests at once no more are sent."""
    web, clock = web_of(), Clock()
    run(crawl_of(tmp_path, clock, Limits(host_pages_per_day=50), own=True), web, clock)
    assert len(web.asked()) == 50


@pytest.mark.requirement(44)
def test_other_hosts_go_on(tmp_path: Path) -> None:
    """The cap is each host's own."""
    web, clock = web_of(), Clock()
    web.answers |= {f"http://other.example/{n or ''}": [f"http://other.example/{n + 1}"] for n in range(30)}
    seeds = (f"{HOST}/", "http://other.example/")
    run(crawl_of(tmp_path, clock, Limits(host_pages_per_day=20), seeds=seeds), web, clock)
    assert sum(url.startswith(HOST) for url in web.asked()) == 20
    assert sum(url.startswith("http://other") for url in web.asked()) == 20
