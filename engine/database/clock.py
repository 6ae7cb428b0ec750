"""Gives the time by which a crawl decides: the database's, so that machines with other clocks agree."""

import time
from collections.abc import Callable
from pathlib import Path

import sqlalchemy as sa

from engine.database.opening import connect_to_read

SYNC_SECONDS = 600.0  # clocks of machines drift apart by some 0.1 s in a day, or a second without NTP
_NOW = sa.text("SELECT extract(epoch FROM clock_timestamp())")


class ServerClock:
    """The clock of a database server, read now and then: seconds since 1970."""

    def __init__(self, engine: sa.Engine, count_seconds: Callable[[], float] = time.monotonic) -> None:
        self._engine = engine
        self._count_seconds = count_seconds
        self._ahead = 0.0  # of our own count
        self._synced = float("-inf")

    def __call__(self) -> float:
        """Returns the time. Raises SQLAlchemy's DBAPIError where the server is to be asked and is away."""
        counted = self._count_seconds()
        if counted - self._synced >= SYNC_SECONDS:
            counted = self._sync()
        return counted + self._ahead

    def _sync(self) -> float:
        """Asks the server; half of the way there and back is the way back."""
        with connect_to_read(self._engine) as connection:
            connection.exec_driver_sql("SELECT 1")  # a new connection takes its time
            before = self._count_seconds()
            now = float(connection.execute(_NOW).scalar_one())
            after = self._count_seconds()
        self._ahead, self._synced = now - (before + after) / 2, after
        return after


def open_clock(location: Path | str, engine: sa.Engine) -> Callable[[], float]:
    """Returns the clock of a crawl database: this machine's where it is a file (seconds since 1970)."""
    return ServerClock(engine) if isinstance(location, str) else time.time
