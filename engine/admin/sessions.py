"""Keeps sessions: a random id that the browser has, of which we keep a hash alone."""

import hashlib
import secrets

import sqlalchemy as sa

from engine.database import sessions

ID_BYTES = 32  # 256 random bits
IDLE_SECONDS = 1_800.0  # without a request, after which a session is over
MAX_SECONDS = 43_200.0  # from login; a working day
SEEN_SECONDS = 60.0  # between two notes of when a session was seen last
MAX_SESSIONS = 20  # of one operator with several browsers; the oldest ends where there are more


def begin_session(connection: sa.Connection, now: float, most: int = MAX_SESSIONS) -> str:
    """Begins a session, and ends the oldest of more than `most`; returns its id."""
    session_id = secrets.token_urlsafe(ID_BYTES)
    is_over = (sessions.c.seen_at <= now - IDLE_SECONDS) | (sessions.c.begun_at <= now - MAX_SECONDS)
    connection.execute(sa.delete(sessions).where(is_over))
    row = {"id_hash": hash_session_id(session_id), "begun_at": now, "seen_at": now}
    connection.execute(sa.insert(sessions), row)
    newest_first = sa.select(sessions.c.id_hash).order_by(sessions.c.begun_at.desc(), sessions.c.id_hash)
    connection.execute(sa.delete(sessions).where(sessions.c.id_hash.in_(newest_first.offset(most))))
    return session_id


def is_living(connection: sa.Connection, session_id: str, now: float) -> bool:
    """Tells whether a session lives, and notes that it was seen."""
    is_it = sessions.c.id_hash == hash_session_id(session_id)
    row = connection.execute(sa.select(sessions.c.begun_at, sessions.c.seen_at).where(is_it)).first()
    if row is None or now - row.seen_at >= IDLE_SECONDS or now - row.begun_at >= MAX_SECONDS:
        return False
    if now - row.seen_at >= SEEN_SECONDS:
        connection.execute(sa.update(sessions).where(is_it).values(seen_at=now))
    return True


def end_session(connection: sa.Connection, session_id: str) -> bool:
    """Ends a session; tells whether there was one."""
    is_it = sessions.c.id_hash == hash_session_id(session_id)
    return connection.execute(sa.delete(sessions).where(is_it)).rowcount > 0


def hash_session_id(session_id: str) -> bytes:
    """Hashes an id: random as it is, it needs no salt and no slow hash."""
    return hashlib.sha256(session_id.encode("utf-8", "replace")).digest()
