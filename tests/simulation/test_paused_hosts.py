"""A host that the operator pauses gets no request, also from a crawl that runs; what waits, waits."""

from pathlib import Path

import pytest

from engine.frontier import open_pauses, pause_host, release_host
from engine.frontier.paused_hosts import LOOK_SECONDS, PAUSE_SECONDS
from tests.crawling import EPOCH, HOST, Clock, Web, crawl_of, run, states, step

OTHER = "http://i.example"
SEEDS = (f"{HOST}/", f"{OTHER}/")


def web_of(pages: int) -> Web:
    links = [f"{HOST}/{number}" for number in range(pages)]
    return Web({f"{HOST}/": links, **{link: [] for link in links}, f"{OTHER}/": []})


def test_nothing_is_asked_of_it_and_other_hosts_are(tmp_path: Path) -> None:
    """Not even robots.txt; the crawl comes to its end, and the next one after the release visits all."""
    web, clock = web_of(3), Clock()
    pause_host(tmp_path, "h.example", EPOCH)
    crawl = crawl_of(tmp_path, clock, seeds=SEEDS)
    crawl.frontier.paused = open_pauses(tmp_path).follow(crawl.store.engine)
    run(crawl, web, clock)
    crawl.store.close()
    assert {url for _, url in web.log if url.startswith(HOST)} == set()
    assert f"{OTHER}/" in web.asked()
    assert states(tmp_path)[f"{HOST}/"][0] == "queued"
    release_host(tmp_path, "h.example")
    crawl = crawl_of(tmp_path, clock, seeds=SEEDS)
    crawl.frontier.paused = open_pauses(tmp_path).follow(crawl.store.engine)
    run(crawl, web, clock)
    assert {f"{HOST}/", f"{HOST}/0", f"{HOST}/2"} <= set(web.asked())


@pytest.mark.parametrize("seconds", [1.0, PAUSE_SECONDS * 3])
def test_a_crawl_that_runs_hears_of_it(tmp_path: Path, seconds: float) -> None:
    """Within seconds; and within a minute that it is released."""
    web, clock = web_of(200), Clock()
    crawl = crawl_of(tmp_path, clock)
    crawl.frontier.paused = open_pauses(tmp_path).follow(crawl.store.engine)
    while len(web.log) < 5:
        assert step(crawl, web, clock)
    pause_host(tmp_path, HOST, clock.now)
    paused_at = clock.now
    while clock.now < paused_at + seconds + LOOK_SECONDS:
        assert step(crawl, web, clock) or crawl.frontier.is_only_suspended()
        clock.now += 1.0
    late = [at for at, _ in web.log if at > paused_at + LOOK_SECONDS]
    release_host(tmp_path, HOST)
    released_at = clock.now
    while clock.now < released_at + PAUSE_SECONDS + LOOK_SECONDS:
        step(crawl, web, clock)
        clock.now += 1.0
    assert late == []
    assert [at for at, _ in web.log if at > released_at], "it goes on by itself"
    crawl.store.close()
