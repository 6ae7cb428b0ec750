"""Compiles a query for one row once, and asks it again and again at the cost of the question alone."""

from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa


class CompiledQuery:
    """A query for one row, asked of connections of one engine that begin no transactions.

    SQLAlchemy's way to a server and back takes as long as the server itself: its driver is asked, with the
    text that was made for the first question.
    """

    def __init__(self, query: sa.Select[Any]) -> None:
        self._query, self._text = query, ""
        self._constants: Mapping[str, object] = {}

    def fetch_row(self, connection: sa.Connection, values: Mapping[str, object]) -> tuple[Any, ...]:
        """Fetches the row. Raises DBAPIError, and where the server is lost OperationalError."""
        if connection.dialect.name == "sqlite":
            return tuple(connection.execute(self._query, values).one())
        if not self._text:
            compiled = self._query.compile(dialect=connection.dialect)
            self._text, self._constants = str(compiled), compiled.params
        driver: Any = connection.connection.driver_connection
        failures: Any = connection.dialect.dbapi
        try:
            row: tuple[Any, ...] = driver.execute(self._text, {**self._constants, **values}).fetchone()
        except failures.Error as error:
            connection.invalidate(error)
            raise sa.exc.OperationalError(self._text, dict(values), error) from error
        return row
