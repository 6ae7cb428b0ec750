"""Locks an index of a cluster against all machines, by advisory locks of the database beside it."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING
from zlib import crc32

from engine.errors import EngineError, Unreadable
from engine.opensearch import ClusterIndex
from engine.postgresql import make_parameters

if TYPE_CHECKING:
    from psycopg import Connection

# The first half of the key (PostgreSQL's documentation, 13.3.5), 'LYIX'; the second is prefix and kind.
INDEX_LOCK = 0x4C594958
_LOCK = "SELECT pg_advisory_lock(%s::int, %s::int)"
_PATIENT = {"lock_timeout": "0"}  # a rebuild is waited for however long it takes


@contextmanager
def lock_index(index: ClusterIndex, kind: str) -> Iterator[None]:
    """Waits until nobody else holds this kind of lock, and holds it meanwhile.

    The server drops it with the session, so also that of a process that was killed, and some 25 s after it
    has heard the last of a machine. Raises Unreadable where the server is away.
    """
    key = crc32(f"{index.prefix} {kind}".encode())
    with closing(_connect(index.database, key - (key >> 31 << 32))):
        yield


def _connect(database: str, key: int) -> "Connection":
    """Opens a session that holds the lock. Raises EngineError without psycopg, which is an extra."""
    try:
        import psycopg
    except ImportError as error:
        raise EngineError(f"{database} needs psycopg: run 'make postgresql'") from error
    try:
        session = psycopg.connect(database, autocommit=True, **make_parameters(0.0, settings=_PATIENT))
        session.execute(_LOCK, (INDEX_LOCK, key))
    except psycopg.Error as error:
        raise Unreadable(database, str(error).split("\n")[0].strip()) from error
    return session
