"""Keeps the checksums of a link graph's tables, and how far the index has come, in its schema."""

from collections.abc import Mapping

from engine.linkgraph.checksums import IndexPosition
from engine.linkgraph.postgresql.connection import Rows, Step

STORED = "SELECT name, value FROM checksums"
_ADD = """
INSERT INTO checksums AS kept SELECT * FROM unnest(%s::text[], %s::numeric[])
ON CONFLICT (name) DO UPDATE SET value = kept.value + excluded.value
"""
_SET = """
INSERT INTO checksums AS kept SELECT * FROM unnest(%s::text[], %s::numeric[])
ON CONFLICT (name) DO UPDATE SET value = greatest(kept.value, excluded.value)
"""


_NOTE_TIME = """
INSERT INTO checksums VALUES ('commit_time', extract(epoch FROM clock_timestamp()))
ON CONFLICT (name) DO UPDATE SET value = excluded.value
"""
COMMIT_TIME = "SELECT value FROM checksums WHERE name = 'commit_time'"


def add_to_checksums(step: Step, amounts: Mapping[str, int]) -> None:
    """Adds to the checksums of tables, in the caller's step."""
    if changed := {table: amount for table, amount in amounts.items() if amount}:
        step.execute(_ADD, list(changed), list(changed.values()))


def save_position(step: Step, reached: IndexPosition) -> None:
    """Saves how far the index has come, of which nothing is ever taken back, and when."""
    step.execute(_SET, list(IndexPosition._fields), list(reached))
    step.execute(_NOTE_TIME)


def read_checksums(rows: Rows) -> Mapping[str, int]:
    """Reads all checksums by name from the rows of STORED."""
    return {name: int(value) for name, value in rows}


def read_position(rows: Rows) -> IndexPosition:
    """Reads how far the index has come from the same."""
    stored = read_checksums(rows)
    return IndexPosition(*(stored.get(name, 0) for name in IndexPosition._fields))
