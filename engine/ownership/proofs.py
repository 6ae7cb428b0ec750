"""Keeps which host has shown which value and when, and which session may see which host."""

import sqlalchemy as sa

from engine.admin import begin_session, end_session, hash_session_id, is_living
from engine.database import checks, grants, proofs, replace_row, sessions

PROOF_SECONDS = 30 * 86_400.0  # after which the host has to show its value again
MAX_SESSIONS = 10_000  # of all owners; the oldest ends where there are more
MAX_PROOFS = 100  # of one host; the oldest is forgotten where more people show that it is theirs
CHECKS_PER_HOUR = 30  # of one host, whoever asks: each is two requests at most
HOUR = 3_600.0


def take_check(connection: sa.Connection, host: str, now: float) -> float:
    """Takes one of a host's checks; returns 0, or in how many seconds there is one again, and takes none."""
    connection.execute(sa.delete(checks).where(checks.c.left_at <= now - HOUR))  # full again
    row = connection.execute(sa.select(checks).where(checks.c.host == host)).first()
    left = float(CHECKS_PER_HOUR)
    if row:
        left = min(left, row.checks_left + max(0.0, now - row.left_at) * CHECKS_PER_HOUR / HOUR)
    if left < 1:
        return (1 - left) * HOUR / CHECKS_PER_HOUR
    connection.execute(replace_row(checks, {"host": host, "checks_left": left - 1, "left_at": now}))
    return 0.0


def is_proved(connection: sa.Connection, host: str, value: str, now: float) -> bool:
    """Tells whether a host has shown a value lately."""
    query = sa.select(proofs.c.at).where(_is_proof(host, value), proofs.c.at > now - PROOF_SECONDS)
    return connection.execute(query).first() is not None


def save_proof(connection: sa.Connection, host: str, value: str, now: float) -> None:
    """Saves that a host shows a value."""
    connection.execute(replace_row(proofs, {"host": host, "value": value, "at": now}))
    newest_first = sa.select(proofs.c.value).order_by(proofs.c.at.desc(), proofs.c.value)
    surplus = newest_first.where(proofs.c.host == host).offset(MAX_PROOFS)
    connection.execute(sa.delete(proofs).where(proofs.c.host == host, proofs.c.value.in_(surplus)))


def drop_proof(connection: sa.Connection, host: str, value: str) -> None:
    """Drops a proof whose value is gone, and with it what sessions saw by it."""
    connection.execute(sa.delete(proofs).where(_is_proof(host, value)))


def begin_owner_session(connection: sa.Connection, host: str, value: str, before: str, now: float) -> str:
    """Begins a session for a host, and those that the session `before` had, which ends; returns its id."""
    session_id = begin_session(connection, now, MAX_SESSIONS)
    id_hash = hash_session_id(session_id)
    if is_living(connection, before, now):
        own = sa.select(sa.literal(id_hash, sa.LargeBinary), grants.c.host, grants.c.value)
        copied = own.where(grants.c.id_hash == hash_session_id(before))
        connection.execute(sa.insert(grants).from_select(["id_hash", "host", "value"], copied))
    end_session(connection, before)
    connection.execute(replace_row(grants, {"id_hash": id_hash, "host": host, "value": value}))
    connection.execute(sa.delete(grants).where(grants.c.id_hash.not_in(sa.select(sessions.c.id_hash))))
    return session_id


def list_granted_hosts(connection: sa.Connection, session_id: str, now: float) -> list[str]:
    """Lists the hosts that a session may see: it lives, and they have shown their values lately."""
    if not is_living(connection, session_id, now):
        return []
    shown = (grants.c.host == proofs.c.host) & (grants.c.value == proofs.c.value)
    query = sa.select(grants.c.host).join(proofs, shown).order_by(grants.c.host)
    is_own = grants.c.id_hash == hash_session_id(session_id)
    return [*connection.execute(query.where(is_own, proofs.c.at > now - PROOF_SECONDS)).scalars()]


def _is_proof(host: str, value: str) -> sa.ColumnElement[bool]:
    return (proofs.c.host == host) & (proofs.c.value == value)
