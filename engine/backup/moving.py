"""Moves the crawl database from the data folder to a server, or back, with the side databases; and the index
from the folder to a cluster, or back.

On a server that is one transaction; in a folder the crawl database is the last that is committed. What it was
all moved from stays as it is: the operator deletes it once the new one is in use.
"""

import uuid
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path

import sqlalchemy as sa

from engine.audience import read_audience_rules
from engine.backup.server import note_source
from engine.backup.sides import copy_sides, find_filled_sides
from engine.config import Config
from engine.database import (
    SCAN_KIB,
    allow_idle,
    copy_database,
    digest_tables,
    is_empty,
    open_database,
    open_run_locks,
    read_identity,
    write_transaction,
    write_uuid,
)
from engine.errors import EngineError
from engine.folder import lock_folder
from engine.generations import IndexLocation
from engine.index.indexing import rebuild_index
from engine.ranking import read_ranking
from engine.store import Store

HOLDER = "'scrapy move'"


def move_database(config: Config, target: Path | str) -> dict[str, int]:
    """Copies the databases of a configuration to another place; returns the rows of each table.

    All rows there are compared with its own before they count. A kill leaves an empty database at the target;
    where all of it is there already, as after a move whose second half was stopped, nothing is copied. Side
    databases that lie in a folder are replaced: they are from before it was moved to the server.
    Whoever writes to the one or the other is kept out. Raises EngineError while a crawl, a rebuild or a
    backup is at work, where something is in the target, or where what was copied is not what is there.
    """
    if target == config.database:
        raise EngineError(f"the crawl database is at {target} already")
    with ExitStack() as stack:
        for place in (config.database, target):
            locks = stack.enter_context(closing(open_run_locks(place)))
            stack.enter_context(locks.lock_all(HOLDER))
        for kind in ("rebuild", "backup"):
            stack.enter_context(lock_folder(config.data_dir, kind, HOLDER))
        source, copy = open_database(config.database, cache_kib=SCAN_KIB), open_database(target)
        stack.callback(source.dispose)
        stack.callback(copy.dispose)
        with write_transaction(source) as rows:
            allow_idle(rows)  # while the other's rows are hashed, half a minute for a million
            if is_empty(rows):
                raise EngineError(f"the crawl database {config.database} is empty: nothing to move")
            before = read_identity(rows)
            with write_transaction(copy) as connection:
                allow_idle(connection)
                if _is_copied(rows, connection):
                    return {}
                _require_empty(connection, target)
                copied = copy_database(rows, connection)
                _compare(rows, connection)
                copied |= copy_sides(rows, config.database, connection, target)
                write_uuid(connection, str(uuid.uuid4()))
                if connection.dialect.name == "postgresql":
                    connection.exec_driver_sql("ANALYZE")  # else the first crawl is planned for empty tables
        with copy.connect() as connection:
            note_source(config.data_dir, before, read_identity(connection))
    return copied


def move_index(
    config: Config, database: Path | str, target: IndexLocation, progress: Callable[[int, int], None]
) -> int:
    """Builds the index of a crawl database at another place, from all pages there; returns how many documents
    it has.

    The one that there is stays as it is. Run again after a kill it begins anew, and what was half done is
    cleared away. Raises EngineError while a rebuild is at work, and where a server is away.
    """
    with lock_folder(config.data_dir, "rebuild", HOLDER), closing(Store(database)) as store:
        ranking, audiences = read_ranking(config.ranking), read_audience_rules(config)
        made = rebuild_index(store, target, progress, ranking=ranking, audiences=audiences)
        return made.count_documents()


def _is_copied(source: sa.Connection, target: sa.Connection) -> bool:
    """Tells whether a database has all rows of another, and no more."""
    return not is_empty(target) and digest_tables(source) == digest_tables(target)


def _require_empty(connection: sa.Connection, target: Path | str) -> None:
    if not is_empty(connection) or (isinstance(target, str) and find_filled_sides(connection, target)):
        what = f"the crawl database {target}" if isinstance(target, str) else f"crawl.db in {target}"
        raise EngineError(f"{what} is not empty: move it away, or name an empty one")


def _compare(source: sa.Connection, target: sa.Connection) -> None:
    """Raises EngineError where a table of the copy has other rows than the source's."""
    here, there = digest_tables(source), digest_tables(target)
    if wrong := [name for name, found in here.items() if there[name] != found]:
        raise EngineError(
            f"what was copied is not what is there, in {', '.join(wrong)}: nothing was moved; 'scrapy check' "
            "says whether the crawl database is damaged"
        )
