"""Keeps which removals are those of a host's owner: these alone the owner may undo."""

from typing import NamedTuple

import sqlalchemy as sa

from engine.database import owner_removals, replace_row
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


def require_room(connection: sa.Connection, host: str) -> None:
    """Raises EngineError for one removal more than a host has."""
    query = sa.select(sa.func.count()).where(owner_removals.c.host == host)
    if connection.execute(query).scalar_one() >= MAX_REMOVALS:
        raise EngineError(Message("There are too many removals. Write to the operator."))


def save_removal(connection: sa.Connection, host: str, number: int, pages: int) -> None:
    """Saves that a removal is its owner's."""
    connection.execute(replace_row(owner_removals, {"host": host, "number": number, "pages": pages}))


def load_removals(connection: sa.Connection, host: str) -> dict[int, OwnerRemoval]:
    """Loads the removals of a host's owner, by number."""
    query = sa.select(owner_removals.c.number, owner_removals.c.pages).where(owner_removals.c.host == host)
    return {number: OwnerRemoval(number, pages) for number, pages in connection.execute(query)}
