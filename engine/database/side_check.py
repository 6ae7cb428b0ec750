"""Verifies the side databases: a file by SQLite's own check, and each by reading all of its rows."""

from collections.abc import Iterator
from pathlib import Path

import sqlalchemy as sa

from engine.database.check import MOST
from engine.database.side import open_side
from engine.database.side_tables import SCHEMAS, SIDES, SideDatabase
from engine.errors import Unreadable


def find_side_damages(location: Path | str) -> Iterator[tuple[SideDatabase, str]]:
    """Yields what is wrong with which, a sentence each. Raises Busy; Unreadable: a server is away."""
    for side in SCHEMAS if isinstance(location, str) else SIDES:
        try:
            with open_side(location, side) as connection:
                yield from ((side, said) for said in _check(connection))
                for table in side.metadata.sorted_tables:
                    connection.execute(sa.select(table)).all()
        except Unreadable as error:
            if isinstance(location, str) and isinstance(error.__cause__, sa.exc.OperationalError):
                raise
            yield side, str(getattr(error.__cause__, "orig", error.__cause__)).partition("\n")[0]


def _check(connection: sa.Connection) -> Iterator[str]:
    if connection.dialect.name == "sqlite":
        for said in connection.exec_driver_sql(f"PRAGMA integrity_check({MOST})").scalars():
            if said != "ok":
                yield " ".join(said.split())
