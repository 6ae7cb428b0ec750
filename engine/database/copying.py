"""Copies a database row by row into another one: from a server into a file, and back.

`tables` are those of the crawl database, or of a side database that the connections are opened for.
"""

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import Any

import sqlalchemy as sa

from engine.database.tables import identity, metadata

BATCH_ROWS = 2_000  # that are written at once
BATCH_BYTES = 4_000_000  # of their texts and bytes; then fewer rows are
FETCHED_ROWS = 1_000  # that are read at once
FETCHED_BLOBS = 50  # of a table whose rows may be large: a page has 2 MB of text at most, packed


def copy_database(
    source: sa.Connection, target: sa.Connection, tables: sa.MetaData = metadata
) -> dict[str, int]:
    """Copies all rows with their ids, in place of the target's own; returns how many each table has.

    What the target numbers later gets higher numbers than any of the source. Both transactions are the
    caller's: that of the source makes it one moment, that of the target one step.
    """
    copied = {}
    for table in tables.sorted_tables:
        target.execute(sa.delete(table))
        copied[table.name] = 0
        for rows in _read_batches(source, table):
            target.execute(sa.insert(table), rows)
            copied[table.name] += len(rows)
        if (column := table.autoincrement_column) is not None:
            _set_last_number(target, column, _find_last_number(source, column))
    return copied


def is_empty(connection: sa.Connection, tables: sa.MetaData = metadata) -> bool:
    """Tells whether a database holds nothing but its identity."""
    queries = (sa.select(sa.exists().select_from(one)) for one in tables.sorted_tables if one is not identity)
    return not any(connection.execute(query).scalar_one() for query in queries)


def _read_batches(source: sa.Connection, table: sa.Table) -> Iterator[list[dict[str, Any]]]:
    """Yields all rows in the order of their keys, some thousand or some megabytes at a time."""
    rows, size = list[dict[str, Any]](), 0
    for row in _read_rows(source, table):
        rows.append(dict(row))
        size += sum(len(value) for value in row.values() if isinstance(value, str | bytes))
        if len(rows) >= BATCH_ROWS or size >= BATCH_BYTES:
            yield rows
            rows, size = [], 0
    if rows:
        yield rows


def _read_rows(source: sa.Connection, table: sa.Table) -> Iterator[sa.RowMapping]:
    keys = [*table.primary_key]
    may_be_large = any(isinstance(column.type, sa.LargeBinary) for column in table.c)
    query = sa.select(table).order_by(*keys).limit(FETCHED_BLOBS if may_be_large else FETCHED_ROWS)
    rows = source.execute(query).mappings().all()
    while rows:
        yield from rows
        after = _is_after(keys, [rows[-1][key] for key in keys])
        rows = source.execute(query.where(after)).mappings().all()


def _is_after(keys: Sequence[sa.Column[Any]], last: Sequence[Any]) -> sa.ColumnElement[bool]:
    return keys[0] > last[0] if len(keys) == 1 else sa.tuple_(*keys) > sa.tuple_(*last)


def _find_last_number(source: sa.Connection, column: sa.Column[Any]) -> int:
    """Finds the highest number that was given, as far as it is known: its row may be gone."""
    highest: int = source.execute(sa.select(sa.func.coalesce(sa.func.max(column), 0))).scalar_one()
    if source.dialect.name == "postgresql":
        sequence = source.execute(sa.select(_sequence_of(column))).scalar_one()
        query = f"SELECT last_value FROM {sequence} WHERE is_called"  # noqa: S608 - the server's own name
    elif not column.table.dialect_options["sqlite"]["autoincrement"]:
        return highest
    else:
        query = f"SELECT seq FROM sqlite_sequence WHERE name = '{column.table.name}'"  # noqa: S608
    return max(highest, source.exec_driver_sql(query).scalar() or 0)


def _set_last_number(target: sa.Connection, column: sa.Column[Any], last: int) -> None:
    """Lets the target go on from a number; a file of SQLite without AUTOINCREMENT goes on from its rows."""
    if target.dialect.name == "postgresql":
        target.execute(sa.select(sa.func.setval(_sequence_of(column), max(last, 1), last > 0)))
    elif column.table.dialect_options["sqlite"]["autoincrement"]:
        name = column.table.name
        target.execute(sa.text("DELETE FROM sqlite_sequence WHERE name = :name"), {"name": name})
        statement = sa.text("INSERT INTO sqlite_sequence (name, seq) VALUES (:name, :last)")
        target.execute(statement, {"name": name, "last": last})


def _sequence_of(column: sa.Column[Any]) -> sa.Function[str]:
    return sa.func.pg_get_serial_sequence(column.table.name, column.name)


def digest_tables(connection: sa.Connection, tables: sa.MetaData = metadata) -> dict[str, tuple[int, str]]:
    """Counts and hashes the rows of every table but the identity, in the order of their keys."""
    rest = (table for table in tables.sorted_tables if table is not identity)
    return {table.name: _digest(connection, table) for table in rest}


def _digest(connection: sa.Connection, table: sa.Table) -> tuple[int, str]:
    count, digest = 0, blake2b(digest_size=16)
    for row in _read_rows(connection, table):
        count += 1
        for value in row.values():
            # PostgreSQL has no U+0000: engine.database.postgresql stores this in its place.
            known = value.replace("\0", "\ufffd") if isinstance(value, str) else value
            raw = known if isinstance(known, bytes) else repr(known).encode("utf-8", "surrogatepass")
            digest.update(b"%s %d " % (type(value).__name__.encode(), len(raw)))
            digest.update(raw)
    return count, digest.hexdigest()
