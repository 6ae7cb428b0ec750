"""Keeps which host has shown which value and when, and which session may see which host."""

import sqlite3

from engine.admin import begin_session, end_session, hash_session_id, is_living

PROOF_SECONDS = 30 * 86_400.0  # after which the host has to show its value again
MAX_SESSIONS = 10_000  # of all owners; the oldest ends where there are more
MAX_PROOFS = 100  # of one host; the oldest is forgotten where more people show that it is theirs
CHECKS_PER_HOUR = 30  # of one host, whoever asks: each is two requests at most
HOUR = 3_600.0


def take_check(connection: sqlite3.Connection, host: str, now: float) -> float:
    """Takes one of a host's checks; returns 0, or in how many seconds there is one again, and takes none."""
    connection.execute("DELETE FROM checks WHERE left_at <= ?", (now - HOUR,))  # full again
    row = connection.execute("SELECT checks_left, left_at FROM checks WHERE host = ?", (host,)).fetchone()
    left = CHECKS_PER_HOUR
    if row:
        left = min(left, row[0] + max(0.0, now - row[1]) * CHECKS_PER_HOUR / HOUR)
    if left < 1:
        return float((1 - left) * HOUR / CHECKS_PER_HOUR)
    connection.execute("INSERT OR REPLACE INTO checks VALUES (?, ?, ?)", (host, left - 1, now))
    return 0.0


def is_proved(connection: sqlite3.Connection, host: str, value: str, now: float) -> bool:
    """Tells whether a host has shown a value lately."""
    query = "SELECT 1 FROM proofs WHERE host = ? AND value = ? AND at > ?"
    return connection.execute(query, (host, value, now - PROOF_SECONDS)).fetchone() is not None


def save_proof(connection: sqlite3.Connection, host: str, value: str, now: float) -> None:
    """Saves that a host shows a value."""
    connection.execute("INSERT OR REPLACE INTO proofs VALUES (?, ?, ?)", (host, value, now))
    surplus = "SELECT value FROM proofs WHERE host = ? ORDER BY at DESC, value LIMIT -1 OFFSET ?"
    connection.execute(
        f"DELETE FROM proofs WHERE host = ? AND value IN ({surplus})",  # noqa: S608 - text of ours
        (host, host, MAX_PROOFS),
    )


def drop_proof(connection: sqlite3.Connection, host: str, value: str) -> None:
    """Drops a proof whose value is gone, and with it what sessions saw by it."""
    connection.execute("DELETE FROM proofs WHERE host = ? AND value = ?", (host, value))


def begin_owner_session(
    connection: sqlite3.Connection, host: str, value: str, before: str, now: float
) -> str:
    """Begins a session for a host, and those that the session `before` had, which ends; returns its id."""
    session_id = begin_session(connection, now, MAX_SESSIONS)
    if is_living(connection, before, now):
        connection.execute(
            "INSERT INTO grants SELECT ?, host, value FROM grants WHERE id_hash = ?",
            (hash_session_id(session_id), hash_session_id(before)),
        )
    end_session(connection, before)
    connection.execute(
        "INSERT OR REPLACE INTO grants VALUES (?, ?, ?)", (hash_session_id(session_id), host, value)
    )
    connection.execute("DELETE FROM grants WHERE id_hash NOT IN (SELECT id_hash FROM sessions)")
    return session_id


def list_granted_hosts(connection: sqlite3.Connection, session_id: str, now: float) -> list[str]:
    """Lists the hosts that a session may see: it lives, and they have shown their values lately."""
    if not is_living(connection, session_id, now):
        return []
    query = """SELECT host FROM grants JOIN proofs USING (host, value)
        WHERE id_hash = ? AND at > ? ORDER BY host"""
    return [host for (host,) in connection.execute(query, (hash_session_id(session_id), now - PROOF_SECONDS))]
