"""Limits the attempts to log in: of one client, and of all together."""

from typing import NamedTuple

import sqlalchemy as sa

from engine.database import attempts

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


def seconds_to_wait(connection: sa.Connection, visitor: Visitor, now: float) -> float:
    """Returns the seconds until this visitor may try, 0.0 for now.

    The limit of all is not for this machine, so that strangers cannot lock the operator out.
    """
    connection.execute(sa.delete(attempts).where(attempts.c.at <= now - FORGET_SECONDS))
    of_client = sa.select(sa.func.count(), sa.func.max(attempts.c.at)).where(_is_of(visitor))
    failed, last = connection.execute(of_client).one()
    wait = 0.0
    if failed >= FREE_ATTEMPTS:
        wait = last + min(MAX_WAIT, FIRST_WAIT * 2 ** (failed - FREE_ATTEMPTS)) - now
    if not visitor.is_local:
        of_all = sa.select(attempts.c.at).where(~attempts.c.is_local, attempts.c.at > now - HOUR)
        earlier = of_all.order_by(attempts.c.at.desc()).limit(1).offset(MAX_PER_HOUR - 1)
        at = connection.execute(earlier).scalar()
        wait = wait if at is None else max(wait, at + HOUR - now)
    return max(0.0, wait)


def add_attempt(connection: sa.Connection, visitor: Visitor, now: float) -> None:
    """Counts an attempt, before it is known how it ends: several at once count all."""
    row = {"at": now, "network": visitor.network, "is_local": visitor.is_local}
    connection.execute(sa.insert(attempts), row)


def forget_attempts(connection: sa.Connection, visitor: Visitor) -> None:
    """Forgets the attempts of a client that has logged in."""
    connection.execute(sa.delete(attempts).where(_is_of(visitor)))


def _is_of(visitor: Visitor) -> sa.ColumnElement[bool]:
    return attempts.c.network == visitor.network
