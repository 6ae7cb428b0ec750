"""Opens the crawl database: a file of SQLite in a data folder, or a database of a PostgreSQL server."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import sqlalchemy as sa

from engine.database import postgresql, sqlite
from engine.database.tables import metadata

BUSY_SECONDS = 30  # a writer waits this long for another process's commit
CACHE_KIB = 32_768  # of each connection to a file, at most
SCAN_KIB = 1_024  # for who reads all rows once, and none again: what was cached stays in the process
BeginWriting = Callable[[sa.Engine], AbstractContextManager[sa.Connection]]
"""Begins what is written as one: write_transaction or write_alone."""
_BEGIN_WRITING: dict[str, BeginWriting] = {
    "sqlite": sqlite.begin_writing,
    "postgresql": postgresql.begin_writing,
}


def open_database(
    location: Path | str, busy_seconds: float = BUSY_SECONDS, cache_kib: int = CACHE_KIB
) -> sa.Engine:
    """Opens the crawl database of a data folder or at a postgresql:// URL, made when it is not there.

    An older one is migrated. Who writes waits `busy_seconds` for another process's commit. Raises EngineError
    for a folder that cannot be written or a server that cannot be reached, a database of another program,
    one of a newer Lycosa, or an older one that a crawl is using.
    """
    if isinstance(location, str):
        return postgresql.open_server(location, busy_seconds)
    return sqlite.open_file(location, busy_seconds, cache_kib)


def open_empty_database() -> sa.Engine:
    """Opens an empty crawl database in memory: used for a folder that is not there."""
    engine = sa.create_engine("sqlite://")
    metadata.create_all(engine)
    return engine


def connect_to_read(engine: sa.Engine) -> sa.Connection:
    """Opens a connection for a few short queries, each of which sees what is committed by then.

    What streams its rows (`yield_per`) needs a transaction, which `engine.connect()` begins.
    """
    return engine.connect() if engine.dialect.name == "sqlite" else postgresql.connect_autocommit(engine)


def write_transaction(engine: sa.Engine) -> AbstractContextManager[sa.Connection]:
    """Begins a write transaction, one at a time: what it reads stays true until its end."""
    return _BEGIN_WRITING[engine.dialect.name](engine)


def write_alone(engine: sa.Engine) -> AbstractContextManager[sa.Connection]:
    """Begins a write of one statement that has no need to come before or behind what others write.

    A server takes it in one way there and back, and while somebody else has the write transaction. In a file
    it waits for that.
    """
    return write_transaction(engine) if engine.dialect.name == "sqlite" else connect_to_read(engine)


def allow_idle(connection: sa.Connection) -> None:
    """Lets a transaction stand idle while another database is read or written: a server ends it else."""
    if connection.dialect.name == "postgresql":
        postgresql.allow_idle(connection)


def purge_deleted(engine: sa.Engine) -> None:
    """Sees to it that what was deleted stays in no file of the database."""
    if engine.dialect.name == "sqlite":
        sqlite.truncate_wal(engine)
    else:
        postgresql.purge_deleted(engine)
