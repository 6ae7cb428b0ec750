"""Lets the operator in and out, and notes what is done."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from engine.admin.attempts import Visitor, add_attempt, forget_attempts, seconds_to_wait
from engine.admin.audit_log import AuditEntry, add_entry, load_entries
from engine.admin.passwords import load_hash, verify
from engine.admin.sessions import begin_session, end_session, is_living
from engine.database import ADMIN, open_side, write_side
from engine.errors import EngineError


class WrongPassword(EngineError):  # noqa: N818 - says what is so
    """What was typed is not the password."""


class TooManyAttempts(EngineError):  # noqa: N818 - the same
    """Somebody has to wait before the next attempt; what was typed was not looked at."""

    def __init__(self, seconds: float) -> None:
        super().__init__("too many attempts")
        self.seconds = seconds


@dataclass(frozen=True, slots=True)
class AdminAccess:
    """Access to the operator's pages of a data folder, or of all machines that share a server's database.

    `clock` gives seconds since 1970. Its methods read and write a database, so they are for threads; all
    raise Busy and Unreadable.
    """

    location: Path | str
    clock: Callable[[], float] = time.time

    def is_enabled(self) -> bool:
        """Tells whether a password is set."""
        with open_side(self.location, ADMIN) as connection:
            return load_hash(connection) is not None

    def log_in(self, typed: str, visitor: Visitor, before: str = "") -> str:
        """Begins a session and returns its id, always a new one; the session `before` ends.

        Raises WrongPassword and TooManyAttempts.
        """
        with write_side(self.location, ADMIN) as connection:
            now = self.clock()
            kept = load_hash(connection) or ""
            wait = seconds_to_wait(connection, visitor, now)
            if not wait:
                add_attempt(connection, visitor, now)
        if wait:
            raise TooManyAttempts(wait)
        is_right = verify(kept, typed)
        with write_side(self.location, ADMIN) as connection:
            # The password may have been changed while this one was verified.
            if is_right and load_hash(connection) == kept:
                forget_attempts(connection, visitor)
                end_session(connection, before)
                session_id = begin_session(connection, self.clock())
                add_entry(connection, self.clock(), visitor.address, "login")
                return session_id
            add_entry(connection, self.clock(), visitor.address, "login failed")
        raise WrongPassword("wrong password")

    def has_session(self, session_id: str) -> bool:
        """Tells whether a session lives."""
        if not session_id:
            return False
        with open_side(self.location, ADMIN) as connection:
            return load_hash(connection) is not None and is_living(connection, session_id, self.clock())

    def log_out(self, session_id: str, visitor: Visitor) -> None:
        """Ends a session."""
        with write_side(self.location, ADMIN) as connection:
            if end_session(connection, session_id):
                add_entry(connection, self.clock(), visitor.address, "logout")

    def record(self, visitor: Visitor, action: str, detail: str) -> int:
        """Records what was done; returns its number in the audit log."""
        with write_side(self.location, ADMIN) as connection:
            return add_entry(connection, self.clock(), visitor.address, action, detail)

    def load_audit(self, before: int | None, number: int) -> list[AuditEntry]:
        """Loads the newest acts, or the newest before one."""
        with open_side(self.location, ADMIN) as connection:
            return load_entries(connection, before, number)
