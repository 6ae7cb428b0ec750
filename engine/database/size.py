"""Counts the bytes that the crawl database takes on a disk."""

from pathlib import Path

import sqlalchemy as sa

from engine.database.check import FILE
from engine.database.opening import open_database

_SIZE = sa.text("SELECT pg_database_size(current_database())")


def count_database_bytes(location: Path | str) -> int:
    """Counts a file with its log, 0 where there is none; of a server the whole database.

    Raises EngineError where the server cannot be reached.
    """
    if isinstance(location, Path):
        files = [location / f"{FILE}{suffix}" for suffix in ("", "-wal")]
        return sum(path.stat().st_size for path in files if path.exists())
    engine = open_database(location)
    try:
        with engine.connect() as connection:
            return int(connection.execute(_SIZE).scalar_one())
    finally:
        engine.dispose()
