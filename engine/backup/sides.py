"""Takes the side databases along where the crawl database goes: to a server, or into files of a folder."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy as sa

from engine.database import (
    PAUSES,
    SCHEMAS,
    SIDES,
    SideDatabase,
    copy_database,
    digest_tables,
    is_empty,
    lock_tables,
    make_tables,
    open_side,
    write_side,
)
from engine.errors import EngineError
from engine.frontier import FolderPauses, load_paused, replace_paused, select_paused


def copy_sides(
    source: sa.Connection, of: Path | str, target: sa.Connection, to: Path | str
) -> dict[str, int]:
    """Copies the rows of all in place of the target's own; returns how many each table has.

    The connections are in transactions of the crawl databases at `of` and `to`: what is on a server is read
    or written in that transaction, of a folder each file in one of its own. Writers are kept out, and what
    was copied is compared with what is there. Raises EngineError where it differs.
    """
    copied = dict[str, int]()
    for side in SIDES:
        with _read_side(source, of, side) as rows, _write_side(target, to, side) as connection:
            lock_tables(rows, side)
            counts = copy_database(rows, connection, side.metadata)
            if digest_tables(rows, side.metadata) != digest_tables(connection, side.metadata):
                raise EngineError(f"what was copied is not what is there, in {side.name}: run it again")
        copied |= {f"{side.name}.{name}": count for name, count in counts.items()}
    copied[f"{PAUSES.name}.paused_hosts"] = _copy_pauses(source, of, target, to)
    return copied


def _copy_pauses(source: sa.Connection, of: Path | str, target: sa.Connection, to: Path | str) -> int:
    """Copies the paused hosts, a text in a folder, as they are at this moment; returns how many there are."""
    paused = load_paused(of) if isinstance(of, Path) else _read_pauses(source, of)
    if isinstance(to, Path):
        FolderPauses(to).save(paused)
    else:
        with _write_side(target, to, PAUSES) as connection:
            replace_paused(connection, paused)
    return len(paused)


def save_side(source: sa.Connection, url: str, side: SideDatabase, folder: Path) -> None:
    """Saves a schema as the file that it has in a folder, as the crawl database's transaction sees it."""
    if side is PAUSES:
        FolderPauses(folder).save(_read_pauses(source, url))
        return
    with _read_side(source, url, side) as rows, write_side(folder, side) as copy:
        copy_database(rows, copy, side.metadata)


def _read_pauses(connection: sa.Connection, url: str) -> Mapping[str, float]:
    with _read_side(connection, url, PAUSES) as rows:
        return select_paused(rows)


def find_filled_sides(connection: sa.Connection, url: str) -> list[SideDatabase]:
    """Finds the schemas that hold something; the connection is that of the crawl database at the URL."""
    return [side for side in SCHEMAS if _is_filled(connection, url, side)]


def _is_filled(connection: sa.Connection, url: str, side: SideDatabase) -> bool:
    with _read_side(connection, url, side) as rows:
        return not is_empty(rows, side.metadata)


@contextmanager
def _read_side(
    connection: sa.Connection, location: Path | str, side: SideDatabase
) -> Iterator[sa.Connection]:
    """Reads one in the transaction of its server's crawl database, or in a folder by itself."""
    if isinstance(location, Path):
        with open_side(location, side) as rows:
            yield rows
        return
    with open_side(location, side):
        pass  # made where it is not there: the transaction may be one that only reads
    with _see_schema(connection, side):
        yield connection


@contextmanager
def _write_side(
    connection: sa.Connection, location: Path | str, side: SideDatabase
) -> Iterator[sa.Connection]:
    if isinstance(location, Path):
        with write_side(location, side) as rows:
            yield rows
        return
    with _see_schema(connection, side):
        make_tables(connection, side)
        lock_tables(connection, side)
        yield connection


@contextmanager
def _see_schema(connection: sa.Connection, side: SideDatabase) -> Iterator[None]:
    """Has a transaction see the tables of a schema; after a failure there is nothing more to see."""
    connection.exec_driver_sql(f"SET LOCAL search_path = {side.name}")
    yield
    connection.exec_driver_sql("SET LOCAL search_path TO DEFAULT")
