"""One host's bytes have an end, in one run or in many; what is known of it is visited on."""

from pathlib import Path

import pytest

from engine.crawl.limits import Limits
from tests.crawling import HOST, Clock, Web, chain, crawl_of, run, states

MOST = 20  # bytes; a page has one here
PAGES = 60
ROUND = 400 * 86_400.0  # seconds: all that is known is due


@pytest.mark.parametrize(
    ("own", "pages"), [(False, MOST), (True, PAGES)], ids=["a stranger's", "the operator's"]
)
def test_a_host_that_sends_without_end(tmp_path: Path, own: bool, pages: int) -> None:
    web, clock = Web(chain(*(f"/{number}" for number in range(PAGES)))), Clock()
    crawl = crawl_of(tmp_path, clock, Limits(host_bytes=MOST), seeds=(f"{HOST}/0",), own=own)
    run(crawl, web, clock)
    first = {url for url in web.asked() if url.rpartition("/")[2].isdigit()}
    assert len(first) == pages
    assert bool(crawl.counters.counts["skipped: host bytes"]) != own
    crawl.store.close()
    web.log.clear()
    clock.now += ROUND
    crawl = crawl_of(tmp_path, clock, Limits(host_bytes=MOST), seeds=(f"{HOST}/0",), own=own)
    run(crawl, web, clock)
    assert {url for url in web.asked() if url.rpartition("/")[2].isdigit()} == first, (
        "a restart forgets nothing"
    )
    stored = [url for url, (state, _) in states(tmp_path).items() if state == "stored"]
    assert len(stored) == len(first), "what is kept stays"


def test_what_comes_again_counts_once(tmp_path: Path) -> None:
    """Half a host's bytes are there; its other half still comes after all of the first was visited again."""
    half, whole = (chain(*(f"/{number}" for number in range(size))) for size in (MOST // 2, MOST))
    web, clock = Web(half), Clock()
    for answers in (half, whole):
        web.answers = answers
        web.log.clear()
        crawl = crawl_of(tmp_path, clock, Limits(host_bytes=MOST), seeds=(f"{HOST}/0",))
        run(crawl, web, clock)
        crawl.store.close()
        clock.now += ROUND
    assert set(whole) <= set(web.asked())
