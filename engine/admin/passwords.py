"""Keeps the operator's password as an argon2id hash (RFC 9106), and verifies what is typed."""

import unicodedata
from pathlib import Path

import sqlalchemy as sa
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from engine.admin.audit_log import add_entry
from engine.database import ADMIN, attempts, open_side, password, replace_row, sessions, write_side
from engine.errors import EngineError

MIN_LENGTH = 12  # characters; one that people choose has to stand 60 guesses an hour for years
MAX_LENGTH = 1_024  # characters; more is no password
# argon2-cffi's defaults, the second choice of RFC 9106, 4: a guess takes 64 MiB and 0.16 s of processor time.
_HASHER = PasswordHasher()


def save_password(location: Path | str, typed: str, now: float, address: str) -> None:
    """Saves a password, ends all sessions and forgets failed attempts. Raises EngineError for a short one."""
    if not MIN_LENGTH <= len(typed) <= MAX_LENGTH:
        raise EngineError(f"a password has {MIN_LENGTH} to {MAX_LENGTH:,} characters here; several words do")
    row = {"number": 1, "hash": _HASHER.hash(_normalise(typed)), "set_at": now}
    with write_side(location, ADMIN) as connection:
        connection.execute(replace_row(password, row))
        _end_all(connection)
        add_entry(connection, now, address, "password set", "all sessions ended")


def clear_password(location: Path | str, now: float, address: str) -> None:
    """Deletes the password, which turns the pages off, and ends all sessions."""
    with open_side(location, ADMIN) as connection:
        if load_hash(connection) is None:
            return
    with write_side(location, ADMIN) as connection:
        connection.execute(sa.delete(password))
        _end_all(connection)
        add_entry(connection, now, address, "password removed", "the pages are off")


def load_hash(connection: sa.Connection) -> str | None:
    """Loads the hash of the password, None where none is set."""
    kept: str | None = connection.execute(sa.select(password.c.hash)).scalar()
    return kept


def verify(kept: str, typed: str) -> bool:
    """Tells whether this is the password; argon2 compares in constant time."""
    try:
        return len(typed) <= MAX_LENGTH and _HASHER.verify(kept, _normalise(typed))
    except (VerificationError, InvalidHashError):
        return False


def _normalise(typed: str) -> bytes:
    """Makes one spelling of a password, whatever keyboard it was typed on (RFC 8265, 4.2.2)."""
    return unicodedata.normalize("NFC", typed).encode("utf-8", "surrogatepass")


def _end_all(connection: sa.Connection) -> None:
    for table in (sessions, attempts):
        connection.execute(sa.delete(table))
