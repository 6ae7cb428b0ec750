"""Finds domains that answer at one address, so that a farm of many names is one voter.

Only votes between domains of one machine are put together: neighbours at a large host who link to strangers
are as many voters as they are. Addresses that are not public, as an intranet's, say nothing.
"""

import sqlite3
from collections.abc import Iterable

# The index is for SQLite's check alone, which compares the two.
SCHEMA = """
CREATE TABLE IF NOT EXISTS machines (domain INTEGER PRIMARY KEY, machine TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS machines_at ON machines (machine);
"""
_AT = "LEFT JOIN machines {0} ON {0}.domain = {1}"
# Of a row with `voter` and, as `value`, the voter of the page that is linked to; both are numbers of names.
JOINED = f"{_AT.format('theirs', 'voter')} {_AT.format('ours', 'value')}"
SAME = "theirs.machine = ours.machine AND voter IS NOT value"  # one machine has several of the voters
VOICE = f"iif({SAME}, -1, voter)"
_LEARN = """
    INSERT INTO machines VALUES (?, ?) ON CONFLICT DO UPDATE SET machine = excluded.machine
    WHERE machine != excluded.machine
"""


def save_machines(connection: sqlite3.Connection, found: Iterable[tuple[int, str]]) -> None:
    """Saves the machine that each domain, by the number of its name, was last seen at."""
    connection.executemany(_LEARN, {domain: machine for domain, machine in found if machine}.items())
