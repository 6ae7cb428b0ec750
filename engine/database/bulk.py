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
        bound = {name: sa.bindparam(name, type_=column.type) for name, column in types.items()}
        arrays = [
            sa.func.unnest(sa.bindparam(name, type_=postgresql.ARRAY(column.type))).label(name)
            for name, column in types.items()
        ]
        self._of_row = build(bound)
        self._of_rows = build(dict(sa.select(*arrays).subquery("given").c.items()))
        self._kinds = {name: column.type.python_type for name, column in types.items()}

    def execute(self, connection: sa.Connection, rows: Sequence[Mapping[str, Any]]) -> None:
        """Executes it for these rows, which have keys of their own."""
        if not rows:
            return
        if connection.dialect.name == "sqlite":
            connection.execute(self._of_row, rows)
            return
        arrays = {name: [_convert(row[name], kind) for row in rows] for name, kind in self._kinds.items()}
        connection.execute(self._of_rows, arrays)


def _convert(value: Any, kind: type[Any]) -> Any:
    """Converts a value to the type that all of an array have to have."""
    return value if value is None or type(value) is kind else kind(value)
