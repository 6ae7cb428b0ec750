"""Fills a server's empty database with the rows of restored files, in one transaction.

    DATA_DIR/restoring/server   the UUID that the database gets by that

So the same command, begun again after a kill, knows the database by its UUID: what is in it may be replaced.
"""

import uuid
from contextlib import ExitStack, closing, suppress
from pathlib import Path

import sqlalchemy as sa

from engine import generations
from engine.backup.saved_files import DATABASE
from engine.backup.sides import copy_sides, find_filled_sides
from engine.database import (
    SCAN_KIB,
    SCHEMAS,
    copy_database,
    is_empty,
    open_database,
    open_run_locks,
    read_identity,
    read_uuid,
    write_transaction,
    write_uuid,
)
from engine.errors import DamagedError, EngineError
from engine.generations import write_atomically

MARKER = "server"
HOLDER = "'scrapy restore'"


def require_room_on_server(url: str, marker: Path) -> None:
    """Raises EngineError for a database with anything in it but what a stopped restore has left."""
    engine = open_database(url)
    try:
        with engine.connect() as connection:
            _require_empty(connection, url, marker)
    finally:
        engine.dispose()


def move_to_server(url: str, data: Path, marker: Path) -> None:
    """Copies the databases of a folder to the server, has the index there follow that, and deletes the files.

    The database gets a UUID of its own: another machine's index that followed the saved one, to a later
    state, is made anew. Where nothing was committed no marker is left. Raises EngineError as
    require_room_on_server(), or while a crawl uses the database, and DBAPIError where the server fails.
    """
    with ExitStack() as stack:
        locks = stack.enter_context(closing(open_run_locks(url)))
        stack.enter_context(locks.lock_all(HOLDER))
        target, source = open_database(url), open_database(data, cache_kib=SCAN_KIB)
        stack.callback(target.dispose)
        stack.callback(source.dispose)
        failed = stack.enter_context(ExitStack())
        if not (own := _read_marker(marker)):
            own = str(uuid.uuid4())
            write_atomically(marker, own)
            failed.callback(marker.unlink)
        with source.connect() as rows, write_transaction(target) as connection:
            _require_empty(connection, url, marker)
            before = read_identity(rows)
            copy_database(rows, connection)
            copy_sides(rows, data, connection, url)
            write_uuid(connection, own)
            connection.exec_driver_sql("ANALYZE")  # else the first crawl is planned for empty tables
            failed.pop_all()  # whether a commit that fails was one is not known
        with target.connect() as connection:
            note_source(data, before, read_identity(connection))
    for name in (DATABASE, *(side.file for side in SCHEMAS)):
        (data / name).unlink(missing_ok=True)


def _require_empty(connection: sa.Connection, url: str, marker: Path) -> None:
    is_filled = not is_empty(connection) or bool(find_filled_sides(connection, url))
    if is_filled and read_uuid(connection) != _read_marker(marker):
        raise EngineError(
            f"the crawl database {url} is not empty: a backup is restored into an empty one alone; make one "
            "with createdb, and name it in crawl.toml"
        )


def _read_marker(marker: Path) -> str:
    return marker.read_text("utf-8") if marker.exists() else ""


def note_source(data: Path, before: str, after: str) -> None:
    """Notes in an index that followed the file that it follows the server's database now."""
    generation = generations.undamaged_generation(data)
    with suppress(DamagedError):  # it is rebuilt
        if generation and generation.source in ("", before):
            generation.note_source(after)
