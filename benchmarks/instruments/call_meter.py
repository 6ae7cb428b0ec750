"""Measures what a call costs that asks a database server on this machine: CPU here and there, ways, flushes.

Of the CPU, not of the clock: so other work on the machine does not count. What a network and a disk add is
counted by the piece.
"""

import os
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import sqlalchemy as sa

from engine.errors import EngineError

ROUND_TRIP = 0.0002  # seconds to the server and back, in one data centre
FLUSH = 0.001  # seconds until a commit is on the server's disk, a solid-state one
_NANO = 1e-9


class Cost(NamedTuple):
    """What one call took, in seconds; `held`: of the write lock, which one crawl has at a time."""

    seconds: float
    held: float
    statements: int


class CallMeter:
    """Meters one call at a time, of all engines of this process."""

    def __init__(self) -> None:
        self._files: dict[int, int] = {}  # by the server's process
        self._before: dict[int, int] = {}  # nanoseconds of CPU of those that this call has asked
        self._cpu = self._waits = self._held = self._held_since = 0.0
        self._statements = 0
        self._holder: object = None  # the connection that has the write lock
        self._listeners: tuple[tuple[Any, str, Callable[..., None]], ...] = (
            (sa.Engine, "before_cursor_execute", self._count_statement),
            (sa.Engine, "commit", self._count_commit),
            (sa.pool.Pool, "checkin", self._end_transaction),
        )
        for listener in self._listeners:
            sa.event.listen(*listener)

    def close(self) -> None:
        """Listens no more."""
        for listener in self._listeners:
            sa.event.remove(*listener)
        for file in self._files.values():
            os.close(file)

    def begin(self) -> None:
        """Begins a call."""
        self._before.clear()
        self._waits, self._held, self._statements, self._holder = 0.0, 0.0, 0, None
        self._cpu = time.process_time()

    def spent(self) -> float:
        """Returns the seconds since the call began."""
        there = sum(self._read(process) - before for process, before in self._before.items())
        return time.process_time() - self._cpu + there * _NANO + self._waits

    def end(self) -> Cost:
        """Returns what the call took."""
        return Cost(self.spent(), self._held, self._statements)

    def _count_statement(self, connection: sa.Connection, _cursor: Any, statement: str, *_: Any) -> None:
        session: Any = connection.connection.dbapi_connection
        process = int(session.info.backend_pid)
        if process not in self._before:
            self._before[process] = self._read(process)
        if "pg_advisory_xact_lock" in statement:
            self._holder, self._held_since = session, self.spent()
        self._statements += 1
        self._waits += ROUND_TRIP

    def _count_commit(self, _: sa.Connection) -> None:
        self._waits += FLUSH + 2 * ROUND_TRIP  # BEGIN is sent by itself, too

    def _end_transaction(self, session: object, _: Any) -> None:
        """A connection comes back to its pool: it has committed. None: it was lost."""
        if session is not None and session is self._holder:
            self._held += self.spent() - self._held_since
            self._holder = None

    def _read(self, process: int) -> int:
        """Reads the nanoseconds of CPU that a process of the server has had; of one that is gone, as far as
        this call knows.
        """
        if process not in self._files:
            try:
                self._files[process] = os.open(f"/proc/{process}/schedstat", os.O_RDONLY)
            except FileNotFoundError as error:
                raise EngineError("the server has to run on this machine, whose CPU is measured") from error
        try:
            return int(os.pread(self._files[process], 64, 0).split()[0])
        except ProcessLookupError:
            return self._before.get(process, 0)
