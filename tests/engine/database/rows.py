"""Rows of a crawl database: odd ones for every table, and all that there are."""

from typing import Any

import sqlalchemy as sa

from engine.database import metadata

ODD: list[tuple[type[sa.types.TypeEngine[Any]], list[Any], str]] = [
    (
        sa.Text,
        ["", "ü 漢字 \U0001f577", "'\"\\x\n\t\x7f%s :a {}"],
        "all planes, what is syntax",
    ),
    (sa.Float, [0.1, -1.7976931348623157e308, 1764201600.123456], "not a sum of few bits, the least, a time"),
    (sa.Boolean, [True, False, True], "which one file keeps as numbers"),
    (sa.LargeBinary, [b"", b"\0\xff\\x00", bytes(range(256))], "nothing, no text, all"),
    (sa.BigInteger, [0, -(2**63), 2**63 - 1], "the limits of 64 bits"),
    (sa.Integer, [0, -(2**31), 2**31 - 1], "the limits of 32 bits"),
]
NUMBERS = [3, 2**40, 2**40 + 7]  # of rows: with gaps, and above 32 bits


def odd_rows(table: sa.Table) -> list[dict[str, Any]]:
    """A row of NULLs where they may be, and one for each odd value."""
    unique = {
        column.name
        for constraint in table.constraints
        if isinstance(constraint, sa.UniqueConstraint | sa.PrimaryKeyConstraint)
        for column in constraint.columns
    }
    rows = []
    for n, number in enumerate([1, *NUMBERS]):
        row = {column.name: None if n == 0 and column.nullable else _odd(column, n) for column in table.c}
        for name in unique:
            kind = table.c[name].type
            row[name] = f"{row[name]}{n}" if isinstance(kind, sa.Text) else number
            if isinstance(kind, sa.LargeBinary):
                row[name] = bytes([n, 0, 255])
        if "content" in row and n:
            row["content"] = bytes(range(256)) * 4_000 * n  # megabytes, which are in no index
        rows.append(row)
    return rows[:1] if table.name == "identity" else rows


def fill(engine: sa.Engine) -> None:
    with engine.begin() as connection:
        for table in metadata.sorted_tables:
            connection.execute(sa.delete(table))
            connection.execute(sa.insert(table), odd_rows(table))


def content(engine: sa.Engine) -> dict[str, list[dict[str, Any]]]:
    """Every row of every table."""
    with engine.connect() as connection:
        return {
            table.name: [
                dict(row)
                for row in connection.execute(sa.select(table).order_by(*table.primary_key)).mappings()
            ]
            for table in metadata.sorted_tables
        }


def _odd(column: sa.Column[Any], number: int) -> object:
    return next(values[number - 1] for kind, values, _ in ODD if isinstance(column.type, kind))
