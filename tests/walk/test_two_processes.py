"""Two crawl commands on one data folder share the hosts, and find what one finds."""

import os
import signal
from pathlib import Path

import pytest

from engine.crawl.pending import BATCH_VISITS
from engine.settings import CONCURRENT_REQUESTS
from tests.running import ask, running, scrapy, serving, until
from tests.walk.slow_hosts import HOSTS, PAGES, TEMPO, Found, asked, found, shares, words_of
from tests.web.scripted import Answer, Site, scripted_web


@pytest.mark.slow
@pytest.mark.requirement(26, 273)
def test_two_processes_give_the_same_pages_as_one(tmp_path: Path, sites: list[Site], by_one: Found) -> None:
    """No URL is asked twice, and all is found afterwards."""
    with running(tmp_path, *words_of(sites)) as first:
        until(lambda: any(len(site.log) > 2 for site in sites), "the first process")
        with running(tmp_path, *words_of(sites)) as second:
            until(lambda: len(shares(tmp_path)) == 2, "the second process")
            TEMPO.seconds = 0.05
            assert (first.wait(60), second.wait(60)) == (0, 0)
    assert found(tmp_path) == by_one
    assert [url for url, times in asked(sites).items() if times > 1] == []
    first_share, second_share = shares(tmp_path)
    assert first_share + second_share == HOSTS * PAGES * 2
    assert second_share > HOSTS
    with serving(tmp_path) as address:
        for typed in ("leaf7 page3", f"host{HOSTS - 1} page1"):
            [note] = ask(address, typed)["notes"]
            assert (note["kind"], note["limit"]) == ("partial-matches-after", 1), "pages with both words"


@pytest.mark.slow
@pytest.mark.requirement(25, 276)
def test_one_of_two_processes_is_killed(tmp_path: Path, sites: list[Site], by_one: Found) -> None:
    """The other takes over its hosts; only what was under way is asked again."""
    with running(tmp_path, *words_of(sites)) as first:
        until(lambda: any(len(site.log) > 2 for site in sites), "the first process")
        with running(tmp_path, *words_of(sites)) as second:
            until(lambda: len(shares(tmp_path)) == 2, "the second process")
            TEMPO.seconds = 0.05
            until(lambda: shares(tmp_path)[1] > 10, "its pages")
            os.kill(first.pid, signal.SIGKILL)
            assert second.wait(60) == 0
    assert found(tmp_path) == by_one
    twice = sum(times - 1 for times in asked(sites).values())
    assert twice <= CONCURRENT_REQUESTS + BATCH_VISITS, "under way, or answered and not yet committed"


@pytest.mark.slow
def test_a_fresh_start_waits_until_nobody_crawls(tmp_path: Path) -> None:
    """What others are working on is not deleted under them."""
    with scripted_web({"/": Answer(delay=20)}) as site, running(tmp_path, *words_of([site])):
        until(lambda: "/" in site.paths, "the first process")
        again = scrapy(tmp_path, *words_of([site]), "-a", "fresh=1", code=2)
        assert "another crawl is using" in again.stderr
        other = scrapy(tmp_path, *words_of([site]), "-a", "include=docs", code=2)
        assert "with other sites" in other.stderr
