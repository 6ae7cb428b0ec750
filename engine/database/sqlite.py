"""Opens the crawl database as a file of SQLite in the data folder."""

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import event

from engine.database.check import FILE
from engine.database.identity import create_identity
from engine.database.migrations import migrate
from engine.database.tables import SCHEMA_VERSION, metadata
from engine.errors import EngineError
from engine.folder import RunLocks, wait_for_folder

APPLICATION_ID = 0x4C59434F  # 'LYCO', SQLite's mark of who a file belongs to

logger = logging.getLogger("lycosa")


def open_file(data_dir: Path, busy_seconds: float, cache_kib: int) -> sa.Engine:
    """Opens the file, made when it is not there, migrated where it is older. Raises EngineError."""
    path = data_dir / FILE
    try:
        data_dir.mkdir(parents=True, exist_ok=True)
        engine = sa.create_engine(f"sqlite:///{path}", connect_args={"timeout": busy_seconds})
        event.listen(engine, "connect", partial(_prepare, cache_kib))
        if _read_version(engine, path) != SCHEMA_VERSION:
            _bring_up_to_date(engine, data_dir)
    except OSError as error:
        raise EngineError(
            f"cannot write to the data folder {data_dir}: {error.strerror}; "
            "choose another with -s DATA_DIR=FOLDER"
        ) from error
    except (
        sa.exc.DatabaseError,
        sqlite3.DatabaseError,
        ValueError,
    ) as error:  # ValueError: a name is no text
        raise EngineError(
            f"cannot open {path}: {getattr(error, 'orig', error)}; if it is not a database of Lycosa, "
            "choose another folder with -s DATA_DIR=FOLDER; restore a damaged one from a backup"
        ) from error
    return engine


@contextmanager
def begin_writing(engine: sa.Engine) -> Iterator[sa.Connection]:
    """Begins a transaction that writes: one at a time."""
    with engine.begin() as connection:
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        yield connection


def truncate_wal(engine: sa.Engine) -> None:
    """Checkpoints the write-ahead log and truncates it, unless it is being read."""
    with engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")


def _prepare(cache_kib: int, connection: sqlite3.Connection, _record: Any) -> None:
    # WAL: readers never wait for the writer. NORMAL: a commit survives kill -9 (not a power
    # cut, which loses the last commits but harms nothing: sqlite.org/wal.html).
    # No mmap: it was no faster, and what is mapped counts as memory of every process that reads.
    # What is deleted is overwritten: else the text stays in the file (sqlite.org/pragma.html).
    cache = f"cache_size=-{cache_kib}"
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", cache, "secure_delete=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _read_version(engine: sa.Engine, path: Path) -> int:
    """Reads which schema the file has, 0 for an empty one. Raises EngineError for one that is not for us."""
    with engine.connect() as connection:
        owner = connection.exec_driver_sql("PRAGMA application_id").scalar_one()
        version: int = connection.exec_driver_sql("PRAGMA user_version").scalar_one()
        empty = not owner and not sa.inspect(connection).get_table_names()
    if owner != APPLICATION_ID and not empty:
        raise EngineError(f"{path} belongs to another program; choose another folder with -s DATA_DIR=FOLDER")
    if version > SCHEMA_VERSION:
        raise EngineError(
            f"{path} was written by a newer Lycosa (its format is {version}, ours {SCHEMA_VERSION}); "
            "install that version, or choose another folder with -s DATA_DIR=FOLDER"
        )
    return version


def _bring_up_to_date(engine: sa.Engine, data_dir: Path) -> None:
    """Makes the tables of an empty file, or migrates an older one, in one transaction.

    Who comes second waits, and finds it done. A crawl that is at work is of the older Lycosa: it would go on
    writing what it knows of.
    """
    path = data_dir / FILE
    with wait_for_folder(data_dir, "migration"):
        version = _read_version(engine, path)
        if not version:
            with begin_writing(engine) as connection:
                connection.exec_driver_sql(f"PRAGMA application_id={APPLICATION_ID}")
                metadata.create_all(connection)
                create_identity(connection)
                connection.exec_driver_sql(f"PRAGMA user_version={SCHEMA_VERSION}")
        elif version != SCHEMA_VERSION:
            with closing(RunLocks(data_dir)) as runs_of_others, runs_of_others.lock_all("a migration"):
                logger.warning("%s is migrated from schema %d to %d", path, version, SCHEMA_VERSION)
                with begin_writing(engine) as connection:
                    migrate(connection, version, _note_version)


def _note_version(connection: sa.Connection, version: int) -> None:
    connection.exec_driver_sql(f"PRAGMA user_version={version}")
