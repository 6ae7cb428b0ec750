"""Keeps sessions: a random id that the browser has, of which we keep a hash alone."""

import hashlib
import secrets
import sqlite3

ID_BYTES = 32  # 256 random bits
IDLE_SECONDS = 1_800.0  # without a request, after which a session is over
MAX_SECONDS = 43_200.0  # from login; a working day
SEEN_SECONDS = 60.0  # between two notes of when a session was seen last
MAX_SESSIONS = 20  # of one operator with several browsers; the oldest ends where there are more
SESSIONS_SCHEMA = """
CREATE TABLE IF NOT EXISTS sessions (id_hash BLOB PRIMARY KEY, begun_at REAL, seen_at REAL) WITHOUT ROWID;
"""


def begin_session(connection: sqlite3.Connection, now: float, most: int = MAX_SESSIONS) -> str:
    """Begins a session, and ends the oldest of more than `most`; returns its id."""
    session_id = secrets.token_urlsafe(ID_BYTES)
    connection.execute(
        "DELETE FROM sessions WHERE seen_at <= ? OR begun_at <= ?", (now - IDLE_SECONDS, now - MAX_SECONDS)
    )
    connection.execute("INSERT INTO sessions VALUES (?, ?, ?)", (hash_session_id(session_id), now, now))
    surplus = "SELECT id_hash FROM sessions ORDER BY begun_at DESC, id_hash LIMIT -1 OFFSET ?"
    connection.execute(f"DELETE FROM sessions WHERE id_hash IN ({surplus})", (most,))  # noqa: S608
    return session_id


def is_living(connection: sqlite3.Connection, session_id: str, now: float) -> bool:
    """Tells whether a session lives, and notes that it was seen."""
    row = connection.execute(
        "SELECT begun_at, seen_at FROM sessions WHERE id_hash = ?", (hash_session_id(session_id),)
    ).fetchone()
    if row is None or now - row[1] >= IDLE_SECONDS or now - row[0] >= MAX_SECONDS:
        return False
    if now - row[1] >= SEEN_SECONDS:
        connection.execute(
            "UPDATE sessions SET seen_at = ? WHERE id_hash = ?", (now, hash_session_id(session_id))
        )
    return True


def end_session(connection: sqlite3.Connection, session_id: str) -> bool:
    """Ends a session; tells whether there was one."""
    return (
        connection.execute("DELETE FROM sessions WHERE id_hash = ?", (hash_session_id(session_id),)).rowcount
        > 0
    )


def hash_session_id(session_id: str) -> bytes:
    """Hashes an id: random as it is, it needs no salt and no slow hash."""
    return hashlib.sha256(session_id.encode("utf-8", "replace")).digest()
