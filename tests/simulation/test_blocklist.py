"""What was removed is neither asked nor queued, by a crawl that runs or by any later one."""

from pathlib import Path

import pytest
import sqlalchemy as sa

from engine.crawl import Crawl
from engine.database import urls
from engine.model.page import State
from engine.store.blocklist import add_block, lift_block, load_blocklist, parse_target
from engine.store.removals import match_target, purge_urls, restore_urls
from engine.store.runs import load_last_run
from tests.crawling import EPOCH, HOST, Clock, Web, chain, crawl_of, run, states, step

OTHER = "http://o.example"
REMOVED = (State.SKIPPED, "removed")


def remove(crawl: Crawl, typed: str) -> int:
    """As `scrapy remove` does beside a crawl; how many pages left."""
    with crawl.store.engine.begin() as connection:
        target = parse_target(typed)
        add_block(connection, target, "asked", "", EPOCH)
        return purge_urls(connection, match_target(target))


def undo(crawl: Crawl, number: int) -> int:
    """As `scrapy remove --undo` does; how many URLs wait."""
    with crawl.store.engine.begin() as connection:
        block = lift_block(connection, number, EPOCH)
        return restore_urls(connection, block.target, load_blocklist(connection))


def stored(folder: Path) -> set[str]:
    return {url for url, (state, _) in states(folder).items() if state == State.STORED}


@pytest.mark.requirement(49, 278)
@pytest.mark.parametrize(
    ("typed", "asked", "why"),
    [
        (f"{HOST}/b", ["/", "/a/1", "/a/2"], "a URL"),
        (f"{HOST}/a/*", ["/", "/b"], "a prefix"),
        (f"{HOST}/", [], "the seed: nothing leads further"),
        (HOST, [], "a host"),
        ("h.example", [], "a name"),
    ],
)
def test_what_is_removed_before_a_crawl(tmp_path: Path, typed: str, asked: list[str], why: str) -> None:
    web, clock = Web({**chain("/a/1", "/a/2"), f"{HOST}/b": []}), Clock()
    web.answers[f"{HOST}/"] = [f"{HOST}/a/1", f"{HOST}/b", f"{HOST}/a/1"]
    remove(crawl_of(tmp_path, clock, seeds=("http://x.example/",)), typed)
    for _ in range(2):
        clock.now, web.log = clock.now + 86_400, []
        crawl = crawl_of(tmp_path, clock)
        run(crawl, web, clock)
        assert sorted(web.asked()) == [HOST + path for path in sorted(asked)], why
        assert crawl.counters.counts["links skipped: removed"] >= 1


@pytest.mark.requirement(49, 278)
@pytest.mark.parametrize("finished", [True, False], ids=["a crawl that ended", "a crawl that was stopped"])
def test_a_removed_host_is_asked_nothing_any_more(tmp_path: Path, finished: bool) -> None:
    """No page, no sitemap, no robots.txt, however often it is crawled."""
    web, clock = Web({**chain("/", "/b", "/c"), f"{OTHER}/": [f"{HOST}/new"]}), Clock()
    seeds = (f"{HOST}/", f"{OTHER}/")
    crawl = crawl_of(tmp_path, clock, seeds=seeds, scope="any")
    while len(web.asked()) < (9 if finished else 3) and step(crawl, web, clock):
        pass
    crawl.close("finished" if finished else "shutdown")
    before = len([url for url in stored(tmp_path) if url.startswith(HOST)])
    assert remove(crawl, HOST) == before > 0
    for _ in range(3):
        clock.now, web.log = clock.now + 2 * 86_400, []
        crawl = crawl_of(tmp_path, clock, seeds=seeds, scope="any")
        run(crawl, web, clock)
        assert {url[: len(OTHER)] for _, url in web.log} <= {OTHER}
        assert {state for url, state in states(tmp_path).items() if url.startswith(HOST)} == {REMOVED}
        with crawl.store.engine.connect() as connection:
            last = load_last_run(connection, "crawl")
        assert last
        assert last.counters["queued"] == 0


@pytest.mark.requirement(49, 278)
@pytest.mark.parametrize("seconds", [0.0, 1e6], ids=["robots.txt known", "robots.txt due"])
def test_a_host_that_is_removed_while_its_urls_wait(tmp_path: Path, seconds: float) -> None:
    """What the crawl holds in memory is not sent either, and the crawl ends."""
    links = [f"{HOST}/{n}" for n in range(100)]
    web, clock = Web({f"{HOST}/": links, **{url: [] for url in links}, f"{OTHER}/": []}), Clock()
    crawl = crawl_of(tmp_path, clock, seeds=(f"{HOST}/", f"{OTHER}/"))
    while sum(url.startswith(HOST) for url in web.asked()) < 3:
        step(crawl, web, clock)
    crawl.commit()
    remove(crawl, "h.example")
    clock.now, web.log = clock.now + seconds, []
    run(crawl, web, clock)
    assert not [url for _, url in web.log if url.startswith(HOST)]
    assert stored(tmp_path) == {f"{OTHER}/"}
    assert {state for url, state in states(tmp_path).items() if url.startswith(HOST)} == {REMOVED}
    assert crawl.progress().queued == 0


@pytest.mark.requirement(285)
def test_a_page_that_is_removed_while_it_is_under_way_is_not_stored(tmp_path: Path) -> None:
    """Asked before the removal, answered after it."""
    web, clock = Web(chain("/", "/b", "/c")), Clock()
    crawl = crawl_of(tmp_path, clock)
    fetch = web.fetch

    def fetch_late(claim, at):  # type: ignore[no-untyped-def]
        if claim.url == f"{HOST}/b":
            remove(crawl, f"{HOST}/b")
        return fetch(claim, at)

    web.fetch = fetch_late  # type: ignore[method-assign]
    run(crawl, web, clock)
    assert f"{HOST}/b" in web.asked()
    assert states(tmp_path)[f"{HOST}/b"] == REMOVED
    assert stored(tmp_path) == {f"{HOST}/"}, "the links of a removed page are not followed"


@pytest.mark.parametrize("typed", [f"{HOST}/b", f"{HOST}/b*"])
def test_undo_brings_it_back_with_the_next_crawl(tmp_path: Path, typed: str) -> None:
    web, clock = Web(chain("/", "/b", "/c")), Clock()
    run(crawl_of(tmp_path, clock), web, clock)
    crawl = crawl_of(tmp_path, clock)
    assert (remove(crawl, typed), remove(crawl, "h.example")) == (1, 2)
    assert undo(crawl, 2) == 3, "of three pages and a sitemap only /b is still removed"
    assert undo(crawl, 1) == 1
    web.log.clear()
    run(crawl_of(tmp_path, clock), web, clock)
    assert f"{HOST}/b" in web.asked()
    assert len(stored(tmp_path)) == 3


@pytest.mark.requirement(49, 285)
def test_what_is_queued_again_by_other_means_is_refused_again(tmp_path: Path) -> None:
    """The blocklist decides when a URL is sent, not the state that it has."""
    web, clock = Web(chain("/", "/b", "/c")), Clock()
    run(crawl_of(tmp_path, clock), web, clock)
    crawl = crawl_of(tmp_path, clock)
    remove(crawl, HOST)
    with crawl.store.engine.begin() as connection:
        connection.execute(sa.update(urls).values(state=State.QUEUED, due_at=None))
    clock.now, web.log = clock.now + 2 * 86_400, []
    crawl = crawl_of(tmp_path, clock)
    run(crawl, web, clock)
    assert web.log == []
    assert set(states(tmp_path).values()) == {REMOVED}
    assert crawl.counters.counts["skipped: removed"] == 3


@pytest.mark.requirement(79, 226, 285)
def test_a_removed_url_stands_for_no_other(tmp_path: Path) -> None:
    """A redirect to it leads nowhere, a page that prefers it represents itself."""
    said: dict[str, dict[str, object]] = {f"{HOST}/": {"canonical": f"{HOST}/gone"}}
    web, clock = Web({f"{HOST}/": [f"{HOST}/old"], f"{HOST}/old": 301}, said=said), Clock()
    web.headers[f"{HOST}/old"] = [("location", "/gone")]
    web.answers[f"{HOST}/gone"] = []
    remove(crawl_of(tmp_path, clock, seeds=("http://x.example/",)), f"{HOST}/gone")
    run(crawl_of(tmp_path, clock), web, clock)
    assert web.asked() == [f"{HOST}/", f"{HOST}/old"]
    assert stored(tmp_path) == {f"{HOST}/"}


@pytest.mark.requirement(49, 110)
def test_robots_txt_that_moved_to_a_removed_host_is_not_had(tmp_path: Path) -> None:
    """Nothing is asked of that host; without permission this one waits as well."""
    web, clock = Web(chain("/", "/b"), robots={HOST: (301, b"")}), Clock()
    web.headers[f"{HOST}/robots.txt"] = [("location", f"{OTHER}/robots.txt")]
    crawl = crawl_of(tmp_path, clock)
    remove(crawl, OTHER)
    run(crawl, web, clock)
    assert {url for _, url in web.log} == {f"{HOST}/robots.txt"}
    assert states(tmp_path)[f"{HOST}/"][0] == State.QUEUED
