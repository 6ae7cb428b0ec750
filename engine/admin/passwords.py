"""Keeps the operator's password as an argon2id hash (RFC 9106), and verifies what is typed."""

import sqlite3
import unicodedata
from pathlib import Path

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from engine.admin.audit_log import add_entry
from engine.admin.database import ADMIN, open_admin
from engine.errors import EngineError
from engine.folder import transaction

MIN_LENGTH = 12  # characters; one that people choose has to stand 60 guesses an hour for years
MAX_LENGTH = 1_024  # characters; more is no password
# argon2-cffi's defaults, the second choice of RFC 9106, 4: a guess takes 64 MiB and 0.16 s of processor time.
_HASHER = PasswordHasher()


def save_password(data_dir: Path, typed: str, now: float, address: str) -> None:
    """Saves a password, ends all sessions and forgets failed attempts. Raises EngineError for a short one."""
    if not MIN_LENGTH <= len(typed) <= MAX_LENGTH:
        raise EngineError(f"a password has {MIN_LENGTH} to {MAX_LENGTH:,} characters here; several words do")
    kept = _HASHER.hash(_normalise(typed))
    with open_admin(data_dir) as connection, transaction(connection):
        connection.execute("INSERT OR REPLACE INTO password VALUES (1, ?, ?)", (kept, now))
        _end_all(connection)
        add_entry(connection, now, address, "password set", "all sessions ended")


def clear_password(data_dir: Path, now: float, address: str) -> None:
    """Deletes the password, which turns the pages off, and ends all sessions."""
    if not (data_dir / ADMIN).exists():
        return
    with open_admin(data_dir) as connection, transaction(connection):
        connection.execute("DELETE FROM password")
        _end_all(connection)
        add_entry(connection, now, address, "password removed", "the pages are off")


def load_hash(connection: sqlite3.Connection) -> str | None:
    """Loads the hash of the password, None where none is set."""
    row = connection.execute("SELECT hash FROM password").fetchone()
    return str(row[0]) if row else None


def verify(kept: str, typed: str) -> bool:
    """Tells whether this is the password; argon2 compares in constant time."""
    try:
        return len(typed) <= MAX_LENGTH and _HASHER.verify(kept, _normalise(typed))
    except (VerificationError, InvalidHashError):
        return False


def _normalise(typed: str) -> bytes:
    """Makes one spelling of a password, whatever keyboard it was typed on (RFC 8265, 4.2.2)."""
    return unicodedata.normalize("NFC", typed).encode("utf-8", "surrogatepass")


def _end_all(connection: sqlite3.Connection) -> None:
    connection.execute("DELETE FROM sessions")
    connection.execute("DELETE FROM attempts")
