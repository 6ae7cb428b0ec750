"""Executes a statement for many rows: on a server at once, as each row alone would cost a message there."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql

Given = Mapping[str, sa.ColumnElement[Any]]
"""The values of a row by name, as they stand in a statement."""


class BulkStatement:
    """A statement for many rows, the same in a file and on a server, made once.

    `build` makes it of a row's values: an insert selects them, an update or delete compares one of them with
    the key. `types` has for each the column whose type it has.
    """

    def __init__(self, build: Callable[[Given], sa.UpdateBase], types: Mapping[str, sa.Column[Any]]) -> None:
        bound, given = _make_values(types)
        self._of_row, self._of_rows = build(bound), build(given)
        self._kinds = {name: column.type.python_type for name, column in types.items()}

    def execute(self, connection: sa.Connection, rows: Sequence[Mapping[str, Any]]) -> None:
        """Executes it for these rows, which have keys of their own."""
        if not rows:
            return
        if connection.dialect.name == "sqlite":
            connection.execute(self._of_row, rows)
            return
        connection.execute(self._of_rows, _make_arrays(rows, self._kinds))


class BulkQuery:
    """A query of one value for many rows; `build` and `types` are those of BulkStatement."""

    def __init__(self, build: Callable[[Given], sa.Select[Any]], types: Mapping[str, sa.Column[Any]]) -> None:
        bound, given = _make_values(types)
        self._of_row, self._of_rows = build(bound), build(given)
        self._kinds = {name: column.type.python_type for name, column in types.items()}

    def execute(self, connection: sa.Connection, rows: Sequence[Mapping[str, Any]]) -> list[Any]:
        """Returns what it finds for these rows."""
        if connection.dialect.name == "sqlite":
            found = [connection.execute(self._of_row, row).scalars() for row in rows]
            return [value for values in found for value in values]
        return [*connection.execute(self._of_rows, _make_arrays(rows, self._kinds)).scalars()] if rows else []


def _make_values(types: Mapping[str, sa.Column[Any]]) -> tuple[Given, Given]:
    """Makes the values of one row, each a parameter, and those of many, columns of one table."""
    arrays = [
        sa.func.unnest(sa.bindparam(name, type_=postgresql.ARRAY(column.type))).label(name)
        for name, column in types.items()
    ]
    bound = {name: sa.bindparam(name, type_=column.type) for name, column in types.items()}
    return bound, dict(sa.select(*arrays).subquery("given").c.items())


def _make_arrays(rows: Sequence[Mapping[str, Any]], kinds: Mapping[str, type[Any]]) -> dict[str, list[Any]]:
    """Makes the array of each column."""
    return {name: [_convert(row[name], kind) for row in rows] for name, kind in kinds.items()}


def _convert(value: Any, kind: type[Any]) -> Any:
    """Converts a value to the type that all of an array have to have."""
    return value if value is None or type(value) is kind else kind(value)
