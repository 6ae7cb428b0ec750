"""Locks the runs of crawls: by files of the data folder, or on the server that several machines share."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import sqlalchemy as sa

from engine.database.opening import BUSY_SECONDS
from engine.database.postgresql import RUN_LOCKS, connect_autocommit, create_server_engine, explain_refusal
from engine.errors import EngineError
from engine.folder import RunLocks

_TRY_RUN = sa.text(f"SELECT pg_try_advisory_lock({RUN_LOCKS}, :run)")
_TRY_ALL = sa.text(f"SELECT pg_try_advisory_lock({RUN_LOCKS}, 0)")
_TRY_SEAT = sa.text(f"SELECT pg_try_advisory_lock_shared({RUN_LOCKS}, 0)")
_FREE_ALL = sa.text(f"SELECT pg_advisory_unlock({RUN_LOCKS}, 0)")
_FREE_OWN = sa.text("SELECT pg_advisory_unlock_all()")
_IS_LOCKED = sa.text(f"""
    SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
    WHERE datname = current_database() AND locktype = 'advisory'
    AND classid = {RUN_LOCKS} AND objid = :run AND objsubid = 2
""")  # noqa: S608  (a number of ours)


class ServerRunLocks:
    """The crawls on a database of a server: each holds an advisory lock of its run's number in one session.

    The server drops the locks of a session that has ended, or of whose process nothing is heard any more.
    Raises EngineError where the server cannot be reached.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self._engine = create_server_engine(url, BUSY_SECONDS)
        try:
            self._session = connect_autocommit(self._engine)
        except sa.exc.DBAPIError as error:
            raise explain_refusal(url, error) from error
        self._own = 0

    def lock(self, run: int) -> None:
        """Takes the run's lock. Raises EngineError while another process keeps all crawls out."""
        if not self._own and not self._session.execute(_TRY_SEAT).scalar_one():
            raise EngineError(f"another process is using {self._url}; wait for it, or stop it")
        self._session.execute(_TRY_RUN, {"run": run})
        self._own = run

    def is_locked(self, run: int) -> bool:
        """Tells whether a living process does this run. Raises SQLAlchemy's DBAPIError once our own session
        has ended: others may take this run's hosts.
        """
        return bool(self._session.execute(_IS_LOCKED, {"run": run}).scalar_one())

    @contextmanager
    def lock_all(self, holder: str) -> Iterator[None]:
        """Keeps all crawls out. Raises EngineError when there are some."""
        if not self._session.execute(_TRY_ALL).scalar_one():
            raise EngineError(f"another crawl is using {self._url}: {holder} has to wait for it; or stop it")
        try:
            yield
        finally:
            self._session.execute(_FREE_ALL)

    def close(self) -> None:
        """Frees the locks and ends the session, of whose end the server hears only later."""
        with suppress(sa.exc.SQLAlchemyError):  # it has ended already, and so have its locks
            self._session.execute(_FREE_OWN)
        self._session.close()
        self._engine.dispose()


def open_run_locks(location: Path | str) -> RunLocks | ServerRunLocks:
    """Opens the run locks of a data folder, or of a database at a postgresql:// URL. Raises EngineError."""
    return ServerRunLocks(location) if isinstance(location, str) else RunLocks(location)
