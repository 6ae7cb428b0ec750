"""What a visit changes in the crawl database, and what the index is told."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa

from engine.database import SCHEMA_VERSION, hosts, open_database, pages, urls, write_transaction
from engine.errors import EngineError
from engine.folder.lock import lock_folder
from engine.model.page import Claim, Fetch, Link, Page, Reading, Section, State, Visit
from engine.packing.packing import pack
from engine.report.summary import census_lines, census_object
from engine.robots import Directives
from engine.store.blocklist import load_blocks
from engine.store.page_store import Store
from engine.store.revisit import MISSING_SECONDS, SHORTEST_REST
from engine.store.visits import save_visits

URL = "http://h.example/a"
PAGE = Page(URL, "Title", "About", "en", "text/html", [Section("", "", "Text.")], [Link(URL, "x", True)])
READING = Reading("en", "text/html", Directives(), b"f", [], pack(PAGE))


def visit(state: State, at: float, status: int = 200, **more: object) -> Visit:
    fetch = Fetch(Claim(1, URL, "http://h.example"), status, [("etag", "e")], b"body", at=at)
    reading = READING if state is State.STORED and "unchanged" not in more else None
    return replace(Visit(fetch, state, reading=reading), **more)  # type: ignore[arg-type]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = Store(tmp_path)
    with store.engine.begin() as connection:
        row = {"id": 1, "url": URL, "host_id": 1, "state": "queued", "found_at": 0.0}
        connection.execute(sa.insert(urls), row)
        store.save(connection, [visit(State.STORED, at=0.0)])
    return store


def save(store: Store, one: Visit) -> None:
    with store.engine.begin() as connection:
        store.save(connection, [one])


OTHER = "http://other.example/a"
NEAR = "http://h.example/b"


@pytest.mark.requirement(79, 300, 301)
@pytest.mark.parametrize(
    ("then", "stands", "why"),
    [
        (
            visit(State.ALIAS, 1, 301, reason="redirect", target=OTHER),
            OTHER,
            "a redirect is a word",
        ),
        (visit(State.ALIAS, 1, reason="canonical", target=NEAR), NEAR, "so is the URL that he prefers"),
        (visit(State.ALIAS, 1, reason="duplicate", target=NEAR), NEAR, "a copy on the same domain"),
        (
            visit(State.ALIAS, 1, reason="duplicate", target=OTHER),
            "",
            "a copy on another domain",
        ),
        (visit(State.GONE, 1, 410), "", "nothing represents it"),
    ],
)
def test_the_index_is_told_what_links_mean(store: Store, then: Visit, stands: str, why: str) -> None:
    """Once, not at each visit that finds the same."""
    save(store, then)
    (change,) = store.changes(0, 9)
    assert (change.page, change.represented_by) == (None, stands), why
    save(store, replace(then, fetch=replace(then.fetch, at=2.0)))
    assert store.last_change() == change.seq
    save(store, visit(State.FAILED, 3, 500))
    assert [one.represented_by for one in store.changes(change.seq, 9)] == [""] * bool(then.target)


@pytest.mark.requirement(73, 219, 286)
@pytest.mark.parametrize(
    ("visits", "stays", "why"),
    [
        ([visit(State.FAILED, 1, 0)], True, "times out: the last good copy stays"),
        ([visit(State.FAILED, 1, 500)], True, "answers 5xx"),
        ([visit(State.GONE, 1, 404)], True, "the first 404"),
        ([visit(State.GONE, 1, 404), visit(State.GONE, 60, 404)], True, "the second, too soon"),
        (
            [visit(State.GONE, 1, 404), visit(State.GONE, 1 + MISSING_SECONDS, 404)],
            False,
            "the second, an hour later",
        ),
        (
            [
                visit(State.GONE, 1, 404),
                visit(State.STORED, 2),
                visit(State.GONE, 1 + MISSING_SECONDS, 404),
            ],
            True,
            "not in a row",
        ),
        ([visit(State.GONE, 1, 410)], False, "410: at once"),
        ([visit(State.DISALLOWED, 1, 0)], False, "robots.txt: at once"),
        ([visit(State.NOINDEX, 1)], False, "noindex: at once (requirement 219)"),
        ([visit(State.ALIAS, 1, 301)], False, "redirects: the target represents it"),
        ([visit(State.STORED, 1, 304, unchanged=True)], True, "304 (requirement 73)"),
    ],
)
def test_when_a_page_leaves(store: Store, visits: list[Visit], stays: bool, why: str) -> None:
    """What the owner deleted, or wants no copy of, is not kept longer than he does."""
    for one in visits:
        with store.engine.begin() as connection:
            store.save(connection, [one])
    (change,) = store.changes(0, 10)
    assert (change.page is not None) is stays, why
    assert store.census().pages == int(stays)


def test_a_change_comes_back_as_it_was_stored(store: Store) -> None:
    (change,) = store.changes(0, 10)
    assert change.page == replace(PAGE, sections=tuple(PAGE.sections), links=())
    assert change.links
    assert list(map(Link, *change.links)) == list(PAGE.links)
    assert (change.url, change.seq) == (URL, store.last_change())


def test_a_url_stands_at_its_last_change_only(store: Store) -> None:
    other = replace(READING, content=pack(replace(PAGE, title="New")))
    with store.engine.begin() as connection:
        store.save(connection, [visit(State.STORED, 5, reading=other)])
        store.save(connection, [visit(State.STORED, 6, reading=other)])  # the same again is no change
    (change,) = store.changes(0, 10)
    assert (change.seq, change.fetched_at) == (2, 6)
    assert store.changes(2, 10) == []


@pytest.mark.requirement(17)
def test_census(store: Store) -> None:
    """The totals, and what each page's row has."""
    census = store.census()
    assert (census.pages, census.queued, census.errors, census.bytes) == (1, 0, 0, 4)
    assert (census.languages, census.media_types) == ({"en": 1}, {"text/html": 1})
    row = sa.select(urls.c.url, urls.c.bytes, pages.c.language, pages.c.media_type).join(pages)
    with store.engine.connect() as connection:
        assert connection.execute(row).all() == [(URL, 4, "en", "text/html")]


@pytest.mark.requirement(17)
def test_the_census_is_told_to_people(store: Store, tmp_path: Path) -> None:
    """`scrapy status` prints four totals, of pages, bytes, languages and media types."""
    told = [line.split(maxsplit=1) for line in census_lines(census_object(store, tmp_path))]
    for line in (["pages", "1"], ["bytes", "4"], ["languages", "en 1"], ["media", "types   text/html 1"]):
        assert line in told


def test_starting_over_tells_the_index(store: Store) -> None:
    store.clear(0.0)
    (change,) = store.changes(0, 10)
    assert change.page is None
    assert store.census().pages == 0


@pytest.mark.sqlite
def test_a_database_of_an_older_lycosa_is_brought_up_to_date(tmp_path: Path) -> None:
    """Version 1 had no sitemaps and no dates of the next visit, version 2 no removals."""
    open_database(tmp_path).dispose()
    old = sqlite3.connect(tmp_path / "crawl.db")
    new = {"urls": ("kind", "priority", "modified_at", "every", "due_at", "rest"), "pages": ("expires_at",)}
    for index in ("urls_in_turn", "urls_of_host", "urls_feeds", "pages_that_expire", "hosts_refreshed"):
        old.execute(f"DROP INDEX {index}")
    for table, columns in {**new, "hosts": ("refreshed", "rest_until")}.items():
        for column in columns:
            old.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
    old.execute("DROP TABLE blocks")
    old.execute("INSERT INTO hosts (id, host) VALUES (1, 'http://h.example')")
    row = "(1, 'http://h.example/', 1, 'queued', 0, 0, 0.0, '', 0, '', '', 0)"
    names = "id, url, host_id, state, depth, hops, found_at, reason, fails, etag, last_modified, bytes"
    old.execute(f"INSERT INTO urls ({names}) VALUES {row}")
    old.execute("PRAGMA user_version=1")
    old.commit()
    old.close()
    engine = open_database(tmp_path)
    with engine.connect() as connection:
        found = connection.execute(sa.select(urls.c.url, urls.c.kind, urls.c.priority)).all()
        assert load_blocks(connection) == []
        plan = str(connection.exec_driver_sql("PRAGMA index_list(urls)").all())
    engine.dispose()
    assert found == [("http://h.example/", "page", 0.5)]
    assert "urls_in_turn" in plan
    open_database(tmp_path).dispose()


def test_links_that_change_are_a_change(store: Store) -> None:
    """The index hears of them, although the text is the same."""
    seen = []
    for target in (URL, OTHER, OTHER):
        content = pack(replace(PAGE, links=(Link(target, "x"),)))
        save(store, visit(State.STORED, 5, reading=replace(READING, content=content)))
        seen.append(store.last_change())
    assert seen[0] < seen[1] == seen[2]


def _other_program(folder: Path) -> None:
    engine = sa.create_engine(f"sqlite:///{folder / 'crawl.db'}")
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE songs (title TEXT)")
    engine.dispose()


def _newer(folder: Path) -> None:
    engine = open_database(folder)
    with engine.begin() as connection:
        connection.exec_driver_sql(f"PRAGMA user_version={SCHEMA_VERSION + 1}")
    engine.dispose()


def _junk(folder: Path) -> None:
    (folder / "crawl.db").write_bytes(b"this is no database, but it is long enough to look like one" * 99)


def _a_file(folder: Path) -> None:
    folder.rmdir()
    folder.write_text("a file where the folder should be", encoding="ascii")


@pytest.mark.sqlite
@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (_other_program, "belongs to another program"),
        (_newer, "written by a newer Lycosa"),
        (_junk, "cannot open"),
        (_a_file, "cannot write to the data folder"),
    ],
)
def test_a_folder_that_cannot_be_used(tmp_path: Path, spoil: object, says: str) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    spoil(folder)  # type: ignore[operator]
    with pytest.raises(EngineError) as error:
        Store(folder)
    assert says in str(error.value)
    assert "DATA_DIR" in str(error.value) or "newer" in str(error.value)


@pytest.mark.sqlite
def test_the_index_hears_of_aliases_that_an_older_lycosa_knew(tmp_path: Path) -> None:
    """Version 3 did not tell it: links to them counted for nobody."""
    store = Store(tmp_path)
    with store.engine.begin() as connection:
        row = {"url": URL, "host_id": 1, "state": "alias", "found_at": 0.0, "alias_of": OTHER}
        connection.execute(sa.insert(urls), row)
        connection.exec_driver_sql("PRAGMA user_version=3")
    store.close()
    assert [(one.url, one.represented_by) for one in Store(tmp_path).changes(0, 9)] == [(URL, OTHER)]


def test_one_of_a_kind_at_a_time(tmp_path: Path) -> None:
    says = r"another crawl is using .*\(process \d+\)"
    with (
        lock_folder(tmp_path, "rebuild"),
        lock_folder(tmp_path, "crawl"),
        pytest.raises(EngineError, match=says),
    ):
        lock_folder(tmp_path, "crawl").__enter__()
    with lock_folder(tmp_path, "crawl"):
        pass


@pytest.mark.parametrize("at_once", [True, False])
def test_a_url_that_was_visited_twice_in_a_commit(tmp_path: Path, at_once: bool) -> None:
    """The second visit sees what the first has left: the index hears of the page, and that it is gone."""
    visits = [visit(State.STORED, 0.0), visit(State.GONE, 1.0, 404), visit(State.GONE, 2.0, 410)]
    with closing(Store(tmp_path)) as store:
        with write_transaction(store.engine) as connection:
            connection.execute(sa.insert(hosts), {"id": 1, "host": "http://h.example"})
            row = {"id": 1, "url": URL, "host_id": 1, "state": "queued", "found_at": 0.0}
            connection.execute(sa.insert(urls), row)
            for some in [visits] if at_once else [[one] for one in visits]:
                save_visits(connection, some)
        with store.engine.connect() as connection:
            found = connection.execute(sa.select(urls.c.missing_since, urls.c.status, urls.c.rest)).one()
            assert tuple(found) == (1.0, 410, 2 * SHORTEST_REST)
            assert connection.execute(sa.select(pages.c.url_id)).scalar_one() == 1
