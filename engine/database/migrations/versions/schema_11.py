"""Makes schema 11, that of November 2026, of any before it; schema_11.sql is what it was.

Older schemas lack tables, columns and indexes of it; those before 5 and 9 also lack what is in some.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.schema import CreateColumn

from engine.url import registrable_domain

revision = "11"
down_revision = None
SCHEMA = Path(__file__).with_suffix(".sql")
DROPPED = ("urls_waiting", "urls_in_line")  # indexes of versions 1 and 7


def upgrade() -> None:
    """Adds what is missing."""
    connection = op.get_bind()
    version = connection.exec_driver_sql("PRAGMA user_version").scalar_one()
    statements = [text.strip() for text in SCHEMA.read_text(encoding="ascii").split(";\n") if text.strip()]
    there = sa.inspect(connection)
    for table, columns in _list_columns(statements):
        if not there.has_table(table):
            continue
        old = {column["name"] for column in there.get_columns(table)}
        for column in (column for column in columns if column.name not in old):
            words = CreateColumn(column).compile(dialect=connection.dialect)
            connection.exec_driver_sql(f"ALTER TABLE {table} ADD COLUMN {words}")
    for statement in statements:
        connection.exec_driver_sql(statement)
    for index in DROPPED:
        connection.exec_driver_sql(f"DROP INDEX IF EXISTS {index}")
    if version < 5:  # since then the index is told of copies; those that are known already it has to hear of
        connection.exec_driver_sql(
            "INSERT OR REPLACE INTO changes (url) SELECT url FROM urls WHERE alias_of IS NOT NULL"
        )
    if version < 9:
        _set_domains(connection)


def _list_columns(statements: Sequence[str]) -> Iterator[tuple[str, list[sa.Column[Any]]]]:
    """Yields the tables that these statements make, each with its columns."""
    engine = sa.create_engine("sqlite://")
    with engine.begin() as memory:
        for statement in statements:
            memory.exec_driver_sql(statement)
        found = sa.inspect(memory)
        for table in found.get_table_names():
            yield (
                table,
                [
                    sa.Column(
                        one["name"], one["type"], nullable=one["nullable"], server_default=_default(one)
                    )
                    for one in found.get_columns(table)
                ],
            )
    engine.dispose()


def _default(column: Any) -> sa.TextClause | None:
    return sa.text(column["default"]) if column["default"] is not None else None


def _set_domains(connection: sa.Connection) -> None:
    """Sets the registrable domain of each host."""
    names = connection.exec_driver_sql("SELECT id, host FROM hosts").all()
    rows = [(registrable_domain(f"{host}/"), number) for number, host in names]
    if rows:
        connection.exec_driver_sql("UPDATE hosts SET domain = ? WHERE id = ?", rows)
