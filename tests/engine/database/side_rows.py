"""Rows of side databases: odd ones for every table, and all that one holds, wherever it is.

With the paused hosts, which are a text in a folder.
"""

from pathlib import Path
from typing import Any

import sqlalchemy as sa

from engine.database import SIDES, SideDatabase, open_side, write_side
from engine.frontier import load_paused, pause_host
from tests.engine.database.rows import odd_rows


def fill(location: Path | str) -> None:
    """Fills all of them."""
    for side in SIDES:
        with write_side(location, side) as connection:
            for table in side.metadata.sorted_tables:
                rows = odd_rows(table)
                connection.execute(sa.insert(table), rows[:1] if table.name == "password" else rows)
    pause_host(location, "www.example.org", 5)


def content(location: Path | str, side: SideDatabase) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every table."""
    with open_side(location, side) as connection:
        return {
            table.name: [
                tuple(row) for row in connection.execute(sa.select(table).order_by(*table.primary_key))
            ]
            for table in side.metadata.sorted_tables
        }


def content_of_all(location: Path | str) -> dict[str, Any]:
    """The rows of all, by their names."""
    of_sides = {side.name: content(location, side) for side in SIDES}
    return {**of_sides, "pauses": load_paused(location)}


def dump(location: Path | str, side: SideDatabase) -> bytes:
    """The same, to look for a secret in it; of a file its bytes, too."""
    path = location / side.file if isinstance(location, Path) else None
    kept = path.read_bytes() if path and path.exists() else b""
    return repr(content(location, side)).encode() + kept
