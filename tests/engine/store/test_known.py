"""Questions about one URL: aliases, links that do not count, what a row says."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from engine.database import hosts, open_database, pages, urls
from engine.model.page import Link, Page, Purpose, State
from engine.model.scanned_pages import ScannedPages
from engine.packing.packing import pack
from engine.store.known import (
    MAX_ALIASES,
    UncountedLinks,
    count_uncounted_links,
    load_aliases,
    load_known_url,
    load_state,
)

TARGET = "http://target.example/"
H = "http://h.example"
NOW = 1_800_000_000.0


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[sa.Connection]:
    database = open_database(tmp_path)
    with database.begin() as connection:
        connection.execute(hosts.insert(), {"id": 1, "host": "http://h.example"})
        yield connection
    database.dispose()


def add(connection: sa.Connection, path: str, **row: object) -> str:
    url = f"http://h.example{path}"
    usual = {"url": url, "host_id": 1, "state": State.STORED, "found_at": NOW}
    connection.execute(urls.insert(), usual | row)
    return url


def test_no_more_aliases_are_named_than_a_person_reads(connection: sa.Connection) -> None:
    for n in range(MAX_ALIASES + 5):
        add(connection, f"/{n}", state=State.ALIAS, alias_of=TARGET)
    assert load_aliases(connection, TARGET) == tuple(f"http://h.example/{n}" for n in range(MAX_ALIASES))
    assert load_aliases(connection, "http://h.example/1") == ()


@pytest.mark.parametrize(
    ("media_type", "scanned"), [("application/pdf", ScannedPages(3, 12)), ("text/html", None)]
)
def test_scanned_pages_of_a_document(
    connection: sa.Connection, media_type: str, scanned: ScannedPages | None
) -> None:
    url = add(connection, "/t", id=7)
    page = Page(url, media_type=media_type, scanned=ScannedPages(3, 12))
    row = {"url_id": 7, "fetched_at": NOW, "language": "en", "media_type": media_type, "fingerprint": b""}
    connection.execute(pages.insert(), row | {"content": pack(page)})
    known = load_known_url(connection, url, NOW)
    assert known is not None
    assert known.scanned == scanned


@pytest.mark.parametrize("rendered", [True, False])
def test_whether_a_page_was_rendered(connection: sa.Connection, rendered: bool) -> None:
    url = add(connection, "/t", id=7)
    row = {"url_id": 7, "fetched_at": NOW, "language": "en", "media_type": "text/html", "fingerprint": b""}
    connection.execute(pages.insert(), row | {"content": pack(Page(url, rendered=rendered))})
    known = load_known_url(connection, url, NOW)
    assert known is not None
    assert known.rendered is rendered


UNCOUNTED = [
    ("/other", [Link(f"{H}/t", "x")], (0, 0), "a link that counts"),
    ("/other", [Link(f"{H}/t", "x", nofollow=True)], (0, 1), "nofollow: requirement 301"),
    ("/other", [Link(f"{H}/t", "x", nofollow=True)] * 3, (0, 1), "three times on one page"),
    ("/other", [Link(f"{H}/t", "x", nofollow=True), Link(f"{H}/t", "y")], (0, 0), "another one counts"),
    ("/other", [Link(f"{H}/alias", "x", nofollow=True)], (0, 1), "by another name of it"),
    ("/other", [Link(f"{H}/else", "x", nofollow=True)], (0, 0), "to another page"),
    ("/t", [Link(f"{H}/t", "x"), Link(f"{H}/t", "x", nofollow=True)], (2, 0), "its own: requirement 301"),
]


@pytest.mark.requirement(301)
@pytest.mark.parametrize(("path", "links", "left", "why"), UNCOUNTED)
def test_which_links_do_not_count(
    connection: sa.Connection, path: str, links: list[Link], left: tuple[int, int], why: str
) -> None:
    url = add(connection, path, id=1)
    row = {"url_id": 1, "fetched_at": NOW, "language": "", "media_type": "text/html", "fingerprint": b""}
    content = pack(Page(url, links=links))
    connection.execute(pages.insert(), row | {"content": content})
    assert count_uncounted_links(connection, frozenset((f"{H}/t", f"{H}/alias"))) == UncountedLinks(*left), (
        why
    )


@pytest.mark.requirement(16)
def test_parent_and_depth(connection: sa.Connection) -> None:
    """Depth of c in a chain is 2, its parent b; and b led to it."""
    a = add(connection, "/a", id=1)
    b = add(connection, "/b", id=2, depth=1, parent_id=1)
    c = add(connection, "/c", id=3, depth=2, parent_id=2, state=State.QUEUED)
    records = [load_known_url(connection, url, NOW) for url in (a, b, c)]
    assert all(records)
    found = [(one.depth, one.found_on, one.discovered) for one in records if one]
    assert found == [(0, "", 1), (1, a, 1), (2, b, 0)]


def test_what_nobody_has_found(connection: sa.Connection) -> None:
    assert load_known_url(connection, "http://h.example/none", NOW) is None
    assert load_state(connection, "http://h.example/none") is None


def test_the_record_speaks_in_the_words_of_the_crawl(connection: sa.Connection) -> None:
    url = add(connection, "/map.xml", kind=Purpose.SITEMAP, depth=-2, due_at=NOW + 9, visited_at=NOW)
    known = load_known_url(connection, url, NOW)
    assert known
    assert (known.state, known.kind) == (State.STORED, Purpose.SITEMAP)
    assert (known.is_due, known.due_at, known.fetched_at) == (False, NOW + 9, None)
    assert load_state(connection, url) is State.STORED
