"""What the operator wants visited, as rows of the crawl database."""

import pytest
import sqlalchemy as sa

from engine.database import pages, urls
from engine.model.page import State
from engine.store.blocklist import parse_target
from engine.store.removals import REMOVED
from engine.store.wanted import (
    FORCED,
    force_visit,
    forget_validators,
    load_forced,
    queue_recrawl,
    queue_url,
)

NOW = 1_800_000_000.0
URL = "http://h.example/page"


def rows(connection: sa.Connection) -> dict[str, sa.Row[tuple[object, ...]]]:
    return {row.url: row for row in connection.execute(sa.select(urls))}


def visited(connection: sa.Connection, url: str, state: State, reason: str = "") -> None:
    """The URL as a visit has left it, not due for long."""
    queue_url(connection, url, NOW)
    left = {"state": state, "reason": reason, "fails": 2, "visited_at": NOW, "due_at": NOW + 1e6}
    connection.execute(sa.update(urls).where(urls.c.url == url).values(left))


@pytest.mark.requirement(8)
def test_one_entry_a_url(connection: sa.Connection) -> None:
    queue_url(connection, URL, NOW)
    queue_url(connection, URL, NOW + 1)
    (row,) = rows(connection).values()
    assert (row.state, row.depth, row.parent_id, row.found_at) == (State.QUEUED, 0, None, NOW)


@pytest.mark.parametrize("state", [state for state in State if state is not State.QUEUED])
def test_what_is_known_stays_as_it_is_but_by_force(connection: sa.Connection, state: State) -> None:
    visited(connection, URL, state, "why")
    queue_url(connection, URL, NOW)
    assert (rows(connection)[URL].state, load_forced(connection)) == (state, frozenset())
    force_visit(connection, URL, NOW)
    row = rows(connection)[URL]
    assert (row.state, row.reason, row.fails, row.due_at) == (State.QUEUED, FORCED, 0, None)
    assert load_forced(connection) == {URL}


def test_force_holds_until_the_visit(connection: sa.Connection) -> None:
    force_visit(connection, URL, NOW)
    visited(connection, URL, State.SKIPPED, "type")
    assert load_forced(connection) == frozenset()


@pytest.mark.parametrize(
    ("typed", "names", "why"),
    [
        ("http://h.example/page", {"/page"}, "one URL"),
        ("http://h.example", {"/page", "/shop/a", "/shop/b"}, "one host"),
        ("h.example", {"/page", "/shop/a", "/shop/b", "s"}, "a name: http, https, any port"),
        ("http://h.example/shop/*", {"/shop/a", "/shop/b"}, "a prefix"),
        ("http://h.example/", set(), "the home page, which is not known"),
        ("http://other.example", set(), "not known"),
    ],
)
def test_recrawl(connection: sa.Connection, typed: str, names: set[str], why: str) -> None:
    here = {path: f"http://h.example{path}" for path in ("/page", "/shop/a", "/shop/b")}
    here["s"] = "https://h.example/"
    for url in (*here.values(), "http://h.example.org/"):
        visited(connection, url, State.STORED)
    assert queue_recrawl(connection, parse_target(typed)) == len(names), why
    due = {url for url, row in rows(connection).items() if row.state == State.QUEUED}
    assert due == {here[name] for name in names}, why
    assert all(rows(connection)[url].fails == 0 for url in due)


def test_the_page_stays_until_the_visit(connection: sa.Connection) -> None:
    visited(connection, URL, State.STORED)
    page = {
        "url_id": rows(connection)[URL].id,
        "fetched_at": NOW,
        "language": "en",
        "media_type": "text/html",
    }
    connection.execute(pages.insert(), page | {"fingerprint": b"", "content": b""})
    assert queue_recrawl(connection, parse_target(URL)) == 1
    assert connection.execute(sa.select(sa.func.count()).select_from(pages)).scalar_one() == 1


def test_what_was_removed_is_not_wanted_again(connection: sa.Connection) -> None:
    visited(connection, URL, State.SKIPPED, REMOVED)
    assert queue_recrawl(connection, parse_target("h.example")) == 0
    assert rows(connection)[URL].state == State.SKIPPED


def test_pages_are_brought_whole_once_more(connection: sa.Connection) -> None:
    """Of sitemaps what they said is enough."""
    for name, kind in (("page", "page"), ("sitemap.xml", "sitemap")):
        visited(connection, url := f"http://h.example/{name}", State.STORED)
        tags = {"kind": kind, "etag": '"1"', "last_modified": "Thu, 01 Jan 2026 00:00:00 GMT"}
        connection.execute(sa.update(urls).where(urls.c.url == url).values(tags))
    forget_validators(connection)
    assert {url: (row.etag, bool(row.last_modified)) for url, row in rows(connection).items()} == {
        "http://h.example/page": ("", False),
        "http://h.example/sitemap.xml": ('"1"', True),
    }
