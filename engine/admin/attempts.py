"""Limits the attempts to log in: of one client, and of all together."""

import sqlite3
from typing import NamedTuple

FREE_ATTEMPTS = 5  # of one client that fail before it has to wait
FIRST_WAIT = 30  # seconds after the fifth; each further one doubles it
MAX_WAIT = 3_600  # seconds
FORGET_SECONDS = 86_400.0  # after which a failed attempt is forgotten
MAX_PER_HOUR = 60  # of all clients on other machines, whatever addresses they have
HOUR = 3_600.0


class Visitor(NamedTuple):
    """Who asks: `network` is what one client cannot choose of its address; `is_local`: on this machine."""

    address: str
    network: str
    is_local: bool


def seconds_to_wait(connection: sqlite3.Connection, visitor: Visitor, now: float) -> float:
    """Returns the seconds until this visitor may try, 0.0 for now.

    The limit of all is not for this machine, so that strangers cannot lock the operator out.
    """
    connection.execute("DELETE FROM attempts WHERE at <= ?", (now - FORGET_SECONDS,))
    failed, last = connection.execute(
        "SELECT count(*), max(at) FROM attempts WHERE network = ?", (visitor.network,)
    ).fetchone()
    wait = 0.0
    if failed >= FREE_ATTEMPTS:
        wait = last + min(MAX_WAIT, FIRST_WAIT * 2 ** (failed - FREE_ATTEMPTS)) - now
    if not visitor.is_local:
        earlier = connection.execute(
            "SELECT at FROM attempts WHERE NOT is_local AND at > ? ORDER BY at DESC LIMIT 1 OFFSET ?",
            (now - HOUR, MAX_PER_HOUR - 1),
        ).fetchone()
        wait = max(wait, earlier[0] + HOUR - now) if earlier else wait
    return max(0.0, wait)


def add_attempt(connection: sqlite3.Connection, visitor: Visitor, now: float) -> None:
    """Counts an attempt, before it is known how it ends: several at once count all."""
    connection.execute(
        "INSERT INTO attempts (at, network, is_local) VALUES (?, ?, ?)",
        (now, visitor.network, visitor.is_local),
    )


def forget_attempts(connection: sqlite3.Connection, visitor: Visitor) -> None:
    """Forgets the attempts of a client that has logged in."""
    connection.execute("DELETE FROM attempts WHERE network = ?", (visitor.network,))
