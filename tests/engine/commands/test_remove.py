"""Removal as operators and owners see it: out of every answer, out of the files, and away for good."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import sqlalchemy as sa

from engine.database import open_database, pages, urls
from engine.index.indexing.follow import Follower
from engine.model.page import State
from engine.search.search import SearchService
from engine.store.blocklist import load_blocks
from engine.store.page_store import Store
from tests.crawling import HOST, Clock, Web, chain, crawl_of, run, states
from tests.engine.index.content import content
from tests.engine.index.killing import dies
from tests.running import ask, crawl, scrapy, serving, until
from tests.web.scripted import Answer, anchors, html, prose, scripted_web

SECONDS = 60.0  # requirement 278: effective within a minute
BECAUSE = ("--reason", "its owner asked", "--contact", "owner@h.example")


def indexed(folder: Path, *paths: str) -> None:
    """A data folder with these pages, crawled and indexed."""
    web, clock = Web(chain(*paths)), Clock()
    crawl = crawl_of(folder, clock)
    run(crawl, web, clock)
    Follower(crawl.store, folder).catch_up()
    crawl.store.close()


def found(folder: Path, words: str) -> set[str]:
    search = SearchService(folder)
    try:
        return {hit.url for hit in search.search(words, size=100).hits}
    finally:
        search.close()


def hits(address: str) -> set[int]:
    """How many hits 20 clients have that ask at once."""
    with ThreadPoolExecutor(20) as clients:
        return set(clients.map(lambda _: len(ask(address, "turnstone")["hits"]), range(20)))


@pytest.mark.slow
@pytest.mark.requirement(49, 278, 285)
def test_twenty_clients_do_not_find_it_any_more(tmp_path: Path) -> None:
    """Gone within a minute, gone after a new crawl, there again after --undo."""
    paths = ("/a", "/shop/1", "/shop/2")
    routes = {path: html(path, f"<p>turnstone {prose(path)}</p>") for path in paths}
    links = "".join(f'<a href="{path}">{path}</a>' for path in paths)
    with scripted_web({"/": html("Start", f"<p>turnstone</p>{links}"), **routes}) as site:
        crawl(tmp_path, site.url("/"))
        with serving(tmp_path) as address:
            assert hits(address) == {4}
            said = scrapy(tmp_path, "remove", site.url("/shop/*"), *BECAUSE).stdout
            until(lambda: hits(address) == {2}, "the removal", SECONDS)
            site.log.clear()
            crawl(tmp_path, site.url("/"))
            assert set(site.paths) & set(paths) == {"/a"}
            assert hits(address) == {2}
            assert "2 URLs are queued for the next crawl" in scrapy(tmp_path, "remove", "--undo", "1").stdout
            crawl(tmp_path, site.url("/"))
            until(lambda: hits(address) == {4}, "what came back")
    assert said.startswith("removal 1  20")
    what = f"prefix  {site.url('/shop/')}  its owner asked  owner@h.example"
    assert said.endswith(f"{what}\n2 pages left the index\n")


@pytest.mark.requirement(50, 269)
def test_the_receipt_and_the_list(tmp_path: Path) -> None:
    """Number, reason, date and contact."""
    indexed(tmp_path, "/", "/b")
    receipt = json.loads(scrapy(tmp_path, "remove", "H.example", *BECAUSE, "--json").stdout)
    at = receipt["removed_at"]
    assert at.endswith("+00:00")
    kept = {
        "number": 1,
        "kind": "host",
        "target": "h.example",
        "reason": "its owner asked",
        "contact": "owner@h.example",
        "removed_at": at,
        "undone_at": None,
    }
    assert receipt == {**kept, "pages": 2}
    undone = json.loads(scrapy(tmp_path, "remove", "--undo", "1", "--json").stdout)
    assert undone == {**kept, "undone_at": undone["undone_at"], "queued": 3}, "a sitemap waits as well"
    shown = scrapy(tmp_path, "remove", "--list").stdout
    assert shown.endswith(f"owner@h.example  undone {undone['undone_at']}\n")


@pytest.mark.parametrize(
    "words",
    [(), ("http://h.example/", "--list"), ("h.example", "o.example")],
    ids=str,
)
def test_one_thing_at_a_time(tmp_path: Path, words: tuple[str, ...]) -> None:
    scrapy(tmp_path, "remove", *words, code=2)
    assert not (tmp_path / "crawl.db").exists()


@pytest.mark.folder
@pytest.mark.requirement(285)
@pytest.mark.sqlite
def test_nothing_of_a_removed_page_stays_on_the_disk(tmp_path: Path) -> None:
    """Not where a file has free room, nor in a log, nor in an index to go back to."""
    indexed(tmp_path, "/", "/b", "/c")
    scrapy(tmp_path, "rebuild")
    engine = open_database(tmp_path)
    with engine.connect() as connection:
        query = sa.select(urls.c.url, pages.c.content).join(pages, pages.c.url_id == urls.c.id)
        packed = {(url, text) for url, text in connection.execute(query)}
    engine.dispose()
    indexes = content(tmp_path)
    packed |= {(url, indexes[url]["content"]) for url, _ in packed}
    assert len(packed) == 6
    assert {name for _, name in holding(tmp_path, packed)} >= {"crawl.db", "arrays"}
    assert "1 page left" in scrapy(tmp_path, "remove", f"{HOST}/b", *BECAUSE).stdout
    assert f"{HOST}/b" not in {url for url, _ in holding(tmp_path, packed)}
    assert found(tmp_path, "text") == {f"{HOST}/", f"{HOST}/c"}
    assert "2 pages left" in scrapy(tmp_path, "remove", HOST, *BECAUSE).stdout
    assert holding(tmp_path, packed) == set()
    assert set(states(tmp_path).values()) == {(State.SKIPPED, "removed")}
    assert found(tmp_path, "text") == set()
    scrapy(tmp_path, "rebuild", "--rollback")
    assert found(tmp_path, "text") == set()


def holding(folder: Path, packed: set[tuple[str, bytes]]) -> set[tuple[str, str]]:
    """Which pages are in which kinds of files."""
    files = [
        (path.name.rpartition("arrays")[1] or path.name, path.read_bytes()) for path in folder.rglob("*.*")
    ]
    return {(url, name) for url, text in packed for name, octets in files if text in octets}


@pytest.mark.parametrize(
    ("before", "left", "why"),
    [
        ("DELETE FROM pages", 3, "blocked, and nothing purged yet"),
        ("COMMIT", 3, "all done but the commit"),
        ("SELECT max(changes.seq)", 0, "committed: only the index lags behind"),
    ],
)
def test_a_removal_that_is_killed_is_done_in_full_or_not_at_all(
    tmp_path: Path, before: str, left: int, why: str
) -> None:
    indexed(tmp_path, "/", "/b", "/c")

    def work(die: Callable[..., None]) -> None:
        def statement(connection: object, cursor: object, words: str, *_: object) -> None:
            if words.startswith(before):
                die()

        sa.event.listen(sa.Engine, "before_cursor_execute", statement)
        sa.event.listen(sa.Engine, "commit", lambda _: statement(None, None, "COMMIT"))
        scrapy(tmp_path, "remove", HOST, *BECAUSE)

    dies(work)
    store = Store(tmp_path)
    with store.engine.connect() as connection:
        blocked = len(load_blocks(connection))
    assert (store.census().pages, blocked) == (left, left == 0), why
    assert ((State.SKIPPED, "removed") in states(tmp_path).values()) is (left == 0)
    Follower(store, tmp_path).catch_up()
    store.close()
    assert len(found(tmp_path, "text")) == left


@pytest.mark.slow
@pytest.mark.requirement(286)
def test_what_an_owner_has_deleted_is_not_kept(tmp_path: Path) -> None:
    """A second 404 an hour later: tests/engine/store/test_page_store.py."""
    now = {
        "/410": Answer(410),
        "/noindex": html("A", "<p>ruff</p>", "<meta name=robots content=noindex>"),
        "/noarchive": html("B", "<p>ruff</p>", "<meta name=robots content=noarchive>"),
    }
    before = {path: html(path, f"<p>ruff {path}</p>") for path in now}
    with scripted_web({"/": html("Start", anchors(now)), **before}) as site:
        crawl(tmp_path, site.url("/"))
        assert len(found(tmp_path, "ruff")) == 3
        site.routes.update(now)
        crawl(tmp_path, site.url("/"))
    store = Store(tmp_path)
    kept = {change.url: change.page for change in store.changes(0, 99) if change.page}
    store.close()
    stays = site.url("/noarchive")
    assert set(kept) == {site.url("/"), stays}
    assert not kept[stays].directives.archive, "found still, but no copy is ever shown"
    assert found(tmp_path, "ruff") == {stays}
