"""Verifies the crawl database: the checksums of what pages are packed into, and of a file SQLite's own check.

A server verifies its files itself, by checksums of its own (initdb --data-checksums) whenever it reads.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from engine import packing
from engine.database.postgresql import describe_error, explain_refusal, open_server

FILE = "crawl.db"
MOST = 100  # sentences about one database; more say nothing new
BUSY_SECONDS = 30.0  # that a server may be silent
_TABLES = ("pages", "copies")
_PAGES = "SELECT url, content, language, media_type FROM {} JOIN urls ON urls.id = url_id"
_PAGES_AFTER = """
    SELECT url, content, language, media_type, url_id FROM {} JOIN urls ON urls.id = url_id
    WHERE url_id > :after ORDER BY url_id LIMIT 50
"""


def find_database_damages(location: Path | str) -> Iterator[str]:
    """Yields what is wrong with a file or a server's pages, a sentence each; nothing where there is none.

    Reads all of it. Raises EngineError where the server cannot be reached.
    """
    if isinstance(location, str):
        yield from islice(_find_damages_of_server(location), MOST)
        return
    path = location / FILE
    if not path.exists():
        return
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            yield from islice(_find_damages(connection), MOST)
    except (sqlite3.DatabaseError, ValueError) as error:  # what SQLite says of it may be no text
        yield str(error)


def _find_damages(connection: sqlite3.Connection) -> Iterator[str]:
    for (message,) in connection.execute(f"PRAGMA integrity_check({MOST})"):
        if message != "ok":
            yield " ".join(message.split())
    there = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    for table in _TABLES:
        if table == "pages" or table in there:  # the other came with schema 18
            yield from _find_damaged_pages(connection.execute(_PAGES.format(table)))


def _find_damages_of_server(url: str) -> Iterator[str]:
    engine = open_server(url, BUSY_SECONDS)
    try:
        with engine.connect() as connection:
            for table in _TABLES:
                query = sa.text(_PAGES_AFTER.format(table))
                rows = connection.execute(query, {"after": 0}).all()
                while rows:
                    yield from _find_damaged_pages(row[:-1] for row in rows)
                    rows = connection.execute(query, {"after": rows[-1].url_id}).all()
    except sa.exc.OperationalError as error:  # it is away
        raise explain_refusal(url, error) from error
    except sa.exc.DBAPIError as error:  # of what it finds in its files
        yield describe_error(error)
    finally:
        engine.dispose()


def _find_damaged_pages(rows: Iterable[Sequence[Any]]) -> Iterator[str]:
    for url, content, language, media_type in rows:
        try:
            packing.unpack(content, {"url": url, "language": language, "media_type": media_type})
            packing.unpack_links(content)
        except Exception as error:  # anything comes of bytes that are anything
            yield f"the page of {url} cannot be unpacked: {error}"
