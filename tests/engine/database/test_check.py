"""What is found damaged in a crawl database that SQLite can read."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from engine.database import FILE, check, copies, find_database_damages, hosts, open_database, pages, urls
from engine.errors import EngineError
from tests.engine.database import rows
from tests.running import crawl, scrapy
from tests.web.scripted import anchors, html, prose, scripted_web

PAGES = 6
AT = -8  # of a page's packed bytes: in the last frame, that of the links


@pytest.fixture
def data(tmp_path: Path) -> Path:
    pages = {f"/{n or ''}": html(f"Page {n}", prose(str(n)) + anchors(["/3", "/4"])) for n in range(PAGES)}
    with scripted_web(pages) as site:
        crawl(tmp_path, site.url("/"))
    return tmp_path


def change(data: Path, script: str) -> None:
    with closing(sqlite3.connect(data / FILE)) as database:
        database.executescript(script)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("at", "why"),
    [(8, "of the texts, whose length stands before them"), (AT, "of the links")],
)
def test_a_changed_byte_of_a_page_is_named_with_its_url(data: Path, at: int, why: str) -> None:
    assert list(find_database_damages(data)) == []
    with closing(sqlite3.connect(data / FILE)) as database:
        query = "SELECT url_id, url, content FROM pages JOIN urls ON urls.id = url_id ORDER BY url LIMIT 1"
        ((number, url, content),) = database.execute(query)
        other = bytearray(content)
        other[at] ^= 1
        database.execute("UPDATE pages SET content = ? WHERE url_id = ?", (bytes(other), number))
        database.commit()
    (said,) = find_database_damages(data)
    assert said.startswith(f"the page of {url} cannot be unpacked: "), why
    done = scrapy(data, "check", code=1)
    assert said in done.stdout, why


@pytest.mark.parametrize("table", [pages, copies])
def test_what_a_copy_has_is_unpacked_too(tmp_path: Path, table: sa.Table) -> None:
    assert_nonsense_is_told(tmp_path, table)


def test_a_file_of_an_older_lycosa_has_no_copies(tmp_path: Path) -> None:
    """As in a backup."""
    open_database(tmp_path).dispose()
    change(tmp_path, "DROP TABLE copies")
    assert list(find_database_damages(tmp_path)) == []


@pytest.mark.postgresql
@pytest.mark.parametrize("table", [pages, copies])
def test_pages_on_a_server_are_unpacked_too(database_url: str, table: sa.Table) -> None:
    assert_nonsense_is_told(database_url, table)


def assert_nonsense_is_told(location: Path | str, table: sa.Table) -> None:
    engine = open_database(location)
    page = rows.odd_rows(table)[0] | {"url_id": 7, "content": b"nonsense"}
    url = rows.odd_rows(urls)[0] | {"id": 7, "url": "http://h.example/"}
    assert list(find_database_damages(location)) == []
    with engine.begin() as connection:
        connection.execute(sa.insert(hosts), rows.odd_rows(hosts)[0] | {"id": url["host_id"]})
        connection.execute(sa.insert(urls), url)
        connection.execute(sa.insert(table), page)
    engine.dispose()
    (said,) = find_database_damages(location)
    assert said.startswith("the page of http://h.example/ cannot be unpacked: ")


@pytest.mark.postgresql
def test_what_a_server_finds_in_its_files_is_told(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that goes away is no damage."""
    engine = open_database(database_url)
    with engine.begin() as connection:
        connection.exec_driver_sql(
            "CREATE FUNCTION read() RETURNS int LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE 'invalid page in block 7' USING ERRCODE = 'data_corrupted'; END $$"
        )
    engine.dispose()
    monkeypatch.setattr(check, "_PAGES_AFTER", "SELECT read()")
    assert list(find_database_damages(database_url)) == ["invalid page in block 7"]
    monkeypatch.setattr(check, "_PAGES_AFTER", "SELECT pg_terminate_backend(pg_backend_pid())")
    with pytest.raises(EngineError, match=r"^cannot use the crawl database [^\n]+ is the server up"):
        list(find_database_damages(database_url))


@pytest.mark.slow
def test_a_page_that_is_no_bytes_is_named(data: Path) -> None:
    change(data, "UPDATE pages SET content = 7")
    found = list(find_database_damages(data))
    assert found
    assert all("cannot be unpacked" in said for said in found)


@pytest.mark.slow
def test_a_table_that_is_gone_is_told(data: Path) -> None:
    change(data, "DROP TABLE pages")
    assert list(find_database_damages(data)) == ["no such table: pages"]
