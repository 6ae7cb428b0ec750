"""Questions about one URL: the link graph asked backwards, aliases, what a row says."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from engine.database import hosts, open_database, pages, urls
from engine.linkgraph.links import LinkGraph
from engine.model.page import Link, Links, Page, Purpose, State
from engine.packing.packing import pack
from engine.store.known import (
    MAX_ALIASES,
    MAX_LINKING,
    Inlink,
    UncountedLinks,
    count_uncounted_links,
    find_linking_pages,
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


@pytest.mark.parametrize(
    ("links", "found", "why"),
    [
        ([], [], "nobody links to it"),
        ([("http://a.example/", [Link(TARGET, "words")])], [("http://a.example/", "words")], "one page"),
        ([("http://a.example/", [Link(TARGET, "")])], [("http://a.example/", "")], "a link on a picture"),
        ([("http://a.example/", [Link(TARGET, "x", nofollow=True)])], [], "nofollow is no link of ours"),
        ([(TARGET, [Link(TARGET, "self")])], [], "nor is one to itself"),
        ([("http://a.example/", [Link("http://other.example/", TARGET)])], [], "words are no link"),
        ([("http://a.example/", [Link(TARGET, "x")]), ("http://a.example/", None)], [], "the page has left"),
    ],
)
def test_who_links_to_it(
    tmp_path: Path, links: list[tuple[str, list[Link] | None]], found: list[tuple[str, str]], why: str
) -> None:
    graph = LinkGraph(tmp_path / "links.db")
    for url, said in links:
        graph.replace([(url, None if said is None else Links.of(said))])
    graph.close()
    assert find_linking_pages(tmp_path / "links.db", TARGET) == tuple(Inlink(*one) for one in found), why


def test_pages_that_link_to_an_alias_are_named(tmp_path: Path) -> None:
    graph = LinkGraph(tmp_path / "links.db")
    graph.replace([("http://a.example/", Links.of([Link("http://old.example/", "x")]))])
    graph.set_aliases([("http://old.example/", TARGET)])
    graph.close()
    assert find_linking_pages(tmp_path / "links.db", TARGET) == (Inlink("http://a.example/", "x"),)


def test_numbers_that_only_look_alike_are_no_links(tmp_path: Path) -> None:
    """300 targets have numbers whose bytes stand in others' too, across the edges of two."""
    graph = LinkGraph(tmp_path / "links.db")
    targets = [f"http://t.example/{n}" for n in range(300)]
    sources = [
        (f"http://s{n}.example/", Links.of([Link(target, f"to {n}")])) for n, target in enumerate(targets)
    ]
    graph.replace(sources)
    graph.close()
    for n, target in enumerate(targets):
        assert find_linking_pages(tmp_path / "links.db", target) == (
            Inlink(f"http://s{n}.example/", f"to {n}"),
        )


def test_no_more_are_named_than_a_person_reads(tmp_path: Path, connection: sa.Connection) -> None:
    graph = LinkGraph(tmp_path / "links.db")
    graph.replace([(f"http://a.example/{n}", Links.of([Link(TARGET, "x")])) for n in range(MAX_LINKING + 5)])
    graph.close()
    assert len(find_linking_pages(tmp_path / "links.db", TARGET)) == MAX_LINKING
    for n in range(MAX_ALIASES + 5):
        add(connection, f"/{n}", state=State.ALIAS, alias_of=TARGET)
    assert load_aliases(connection, TARGET) == tuple(f"http://h.example/{n}" for n in range(MAX_ALIASES))
    assert load_aliases(connection, "http://h.example/1") == ()


def test_asking_makes_no_link_graph(tmp_path: Path) -> None:
    with pytest.raises(sqlite3.OperationalError):
        find_linking_pages(tmp_path / "links.db", TARGET)
    assert not list(tmp_path.glob("links.db*"))


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
