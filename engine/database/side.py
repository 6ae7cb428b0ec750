"""Opens the side databases, where the crawl database is: files of the data folder, or schemas of a server.

All processes of a folder, or of all machines, share them. No connection is kept: an operator's page asks a
handful of queries, and nothing of them has to stay in the memory of who serves searches.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite
from sqlalchemy.schema import CreateIndex, CreateTable, ExecutableDDLElement

from engine.database.postgresql import MIGRATION_LOCK, SIDE_LOCKS, create_server_engine, open_server
from engine.database.reopening import SILENT_SECONDS, explain_unreadable
from engine.database.side_tables import SideDatabase
from engine.errors import EngineError
from engine.folder import lock_folder

MAX_ENGINES = 64  # that are kept, without connections; tests have as many folders as they are
_TRY_LOCK = sa.text(f"SELECT pg_try_advisory_lock({SIDE_LOCKS}, hashtext(:name))")
_UNLOCK = sa.text(f"SELECT pg_advisory_unlock({SIDE_LOCKS}, hashtext(:name))")


@contextmanager
def open_side(location: Path | str, side: SideDatabase) -> Iterator[sa.Connection]:
    """Opens a side database for statements each of which stands alone, as if empty where it is not there.

    Raises Busy and Unreadable.
    """
    with _explain(location, side), _open_engine(location, side, is_made=False).connect() as connection:
        yield connection.execution_options(isolation_level="AUTOCOMMIT")


@contextmanager
def write_side(location: Path | str, side: SideDatabase) -> Iterator[sa.Connection]:
    """Begins a transaction that writes, one at a time, in a side database; it is made where it is not there.

    Raises Busy and Unreadable.
    """
    with _explain(location, side), _open_engine(location, side, is_made=True).begin() as connection:
        lock_tables(connection, side)
        yield connection


@contextmanager
def lock_side(location: Path | str, side: SideDatabase) -> Iterator[sa.Connection]:
    """Opens a side database for the one process, of all machines, that does what is not to be done twice.

    Raises EngineError where another does it, Busy and Unreadable.
    """
    if isinstance(location, Path):
        with lock_folder(location, side.name), open_side(location, side) as connection:
            yield connection
        return
    with open_side(location, side) as connection:  # the lock ends with its session, in case of need
        if not connection.execute(_TRY_LOCK, {"name": side.name}).scalar_one():
            raise EngineError(f"another machine is at work on {side.name} in {location}")
        yield connection
        connection.execute(_UNLOCK, {"name": side.name})  # the session ends a moment after its connection


def lock_tables(connection: sa.Connection, side: SideDatabase) -> None:
    """Locks out other writers until the transaction ends."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    else:
        names = ", ".join(f"{side.name}.{table.name}" for table in side.metadata.sorted_tables)
        connection.exec_driver_sql(f"LOCK TABLE {names} IN SHARE ROW EXCLUSIVE MODE")


def make_tables(connection: sa.Connection, side: SideDatabase) -> None:
    """Makes the tables that a server's database does not have; who comes second waits, and finds them."""
    connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})")
    connection.exec_driver_sql(f"CREATE SCHEMA IF NOT EXISTS {side.name}")
    for statement in _define_tables(side):
        connection.execute(statement)


@contextmanager
def _explain(location: Path | str, side: SideDatabase) -> Iterator[None]:
    try:
        yield
    except (sa.exc.DBAPIError, sqlite3.Error) as error:
        place = location if isinstance(location, str) else location / side.file
        raise explain_unreadable(place, error) from error


def _open_engine(location: Path | str, side: SideDatabase, *, is_made: bool) -> sa.Engine:
    if isinstance(location, Path):
        return _open_file_engine(location, side, is_made=is_made)
    try:
        return _open_server_engine(location, side)
    except EngineError as error:
        if isinstance(error.__cause__, sa.exc.DBAPIError):  # it is away
            raise explain_unreadable(location, error.__cause__) from error.__cause__
        raise


def _open_file_engine(folder: Path, side: SideDatabase, *, is_made: bool) -> sa.Engine:
    """Opens a file; one that is not there and not to be made is an empty one in memory."""
    path = folder / side.file
    if is_made:
        folder.mkdir(parents=True, exist_ok=True)
    return _create_file_engine(path if is_made or path.exists() else None, side)


@lru_cache(MAX_ENGINES)
def _create_file_engine(path: Path | None, side: SideDatabase) -> sa.Engine:
    script = ";".join(str(one.compile(dialect=sqlite.dialect())) for one in _define_tables(side))
    engine = sa.create_engine(
        sa.URL.create("sqlite", database=str(path) if path else None),
        connect_args={"timeout": side.busy_seconds},
        poolclass=sa.NullPool,
    )

    def prepare(connection: sqlite3.Connection, _record: Any) -> None:
        connection.executescript(script)  # as cheap as to look whether all are there

    sa.event.listen(engine, "connect", prepare)
    return engine


@lru_cache(MAX_ENGINES)
def _open_server_engine(url: str, side: SideDatabase) -> sa.Engine:
    """Opens a schema, made where it is not there. Raises EngineError where the database is not for us."""
    open_server(url, side.busy_seconds, SILENT_SECONDS).dispose()
    engine = create_server_engine(url, side.busy_seconds, SILENT_SECONDS, side.name)
    with engine.begin() as connection:
        make_tables(connection, side)
    return engine


@cache
def _define_tables(side: SideDatabase) -> tuple[ExecutableDDLElement, ...]:
    tables = side.metadata.sorted_tables
    return (
        *(CreateTable(table, if_not_exists=True) for table in tables),
        *(CreateIndex(index, if_not_exists=True) for table in tables for index in table.indexes),
    )
