"""Verifies the crawl database by SQLite's own check."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

FILE = "crawl.db"
MOST = 100  # sentences about one file; more say nothing new


def find_database_damages(data_dir: Path) -> Iterator[str]:
    """Yields what is wrong with the file, a sentence each; nothing where there is none. Reads all of it."""
    path = data_dir / FILE
    if not path.exists():
        return
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            for (message,) in connection.execute(f"PRAGMA integrity_check({MOST})"):
                if message != "ok":
                    yield " ".join(message.split())
    except (sqlite3.DatabaseError, ValueError) as error:  # what SQLite says of it may be no text
        yield str(error)
