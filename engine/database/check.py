"""Verifies the crawl database: SQLite's own check, and the checksums of what pages are packed into."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path

from engine import packing

FILE = "crawl.db"
MOST = 100  # sentences about one file; more say nothing new
PAGES = "SELECT url, content, language, media_type FROM pages JOIN urls ON urls.id = pages.url_id"


def find_database_damages(data_dir: Path) -> Iterator[str]:
    """Yields what is wrong with the file, a sentence each; nothing where there is none. Reads all of it."""
    path = data_dir / FILE
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
    for url, content, language, media_type in connection.execute(PAGES):
        try:
            packing.unpack(content, {"url": url, "language": language, "media_type": media_type})
            packing.unpack_links(content)
        except Exception as error:  # anything comes of bytes that are anything
            yield f"the page of {url} cannot be unpacked: {error}"
