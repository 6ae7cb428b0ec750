"""Keeps which removals are those of a host's owner: these alone the owner may undo."""

import sqlite3
from typing import NamedTuple

from engine.errors import EngineError
from engine.model import Message
from engine.store import Extent, Target, parse_target

MAX_REMOVALS = 1_000  # of one host; who removes more removes a prefix


class OwnerRemoval(NamedTuple):
    """A removal by its number in the list of all, and how many pages left by it."""

    number: int
    pages: int


def parse_own_target(host: str, typed: str) -> Target:
    """Parses a URL, a prefix or a path of a host, as scheme://name[:port]. Raises EngineError for others'."""
    try:
        target = parse_target(f"{host}{typed}" if typed.startswith("/") else typed)
    except EngineError as error:
        raise EngineError(
            Message("Enter an address of your host, or how its addresses begin, with a * at the end.")
        ) from error
    is_own = target.text == host if target.extent is Extent.HOST else target.text.startswith(f"{host}/")
    if not is_own:
        raise EngineError(Message("This is no address of {host}.", host=host))
    return target


def require_room(connection: sqlite3.Connection, host: str) -> None:
    """Raises EngineError for one removal more than a host has."""
    query = "SELECT count(*) FROM removals WHERE host = ?"
    if connection.execute(query, (host,)).fetchone()[0] >= MAX_REMOVALS:
        raise EngineError(Message("There are too many removals. Write to the operator."))


def save_removal(connection: sqlite3.Connection, host: str, number: int, pages: int) -> None:
    """Saves that a removal is its owner's."""
    connection.execute("INSERT OR REPLACE INTO removals VALUES (?, ?, ?)", (host, number, pages))


def load_removals(connection: sqlite3.Connection, host: str) -> dict[int, OwnerRemoval]:
    """Loads the removals of a host's owner, by number."""
    rows = connection.execute("SELECT number, pages FROM removals WHERE host = ?", (host,))
    return {number: OwnerRemoval(number, pages) for number, pages in rows}
