"""Returns the free pages of a data folder's SQLite databases to the disk.

What is deleted leaves pages that the database uses again, but the file keeps its length. Nobody else can
write while a database is vacuumed, and a crawl waits thirty seconds at most: none may run meanwhile. Searches
go on.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from pathlib import Path
from typing import NamedTuple, Protocol

from engine.errors import EngineError
from engine.folder.free_space import INDEX_PART, FreeSpace
from engine.folder.lock import RunLocks, lock_folder

DATABASES = ("*.db", "index/*/links.db")  # crawl, hosts, alarms and the like; link graphs
COPIES = 2  # of what is in use: a temporary file, and the log out of which it goes into its place
VACUUM_HOLDER = "'scrapy vacuum'"  # as others hear of who keeps them out
BUSY_SECONDS = 30.0  # for a search page's writing


class VacuumedDatabase(NamedTuple):
    """A database with its bytes on the disk, log included; `error`: why it stayed as it was."""

    name: str  # in the data folder
    before: int
    after: int
    error: str = ""


class CrawlLocks(Protocol):
    """Keeps crawls out: RunLocks, or what stands for it where the crawl database is a server's."""

    def lock_all(self, holder: str) -> AbstractContextManager[None]:
        """Keeps all of them out; `holder` names what for. Raises EngineError when there are some."""


def vacuum_folder(
    data_dir: Path, free_bytes: int, locks: CrawlLocks | None = None
) -> Iterator[VacuumedDatabase]:
    """Vacuums each database of a data folder in turn; what was free in it is the disk's afterwards.

    `locks` are those of the crawls, where the folder itself has none.

    A kill leaves each as it was or as it shall be. Raises EngineError before it begins while a crawl, a
    rebuild or a backup is at work, or where the disk has no room: half of `free_bytes` may be used.
    """
    if not data_dir.is_dir():
        raise EngineError(f"there is no data folder {data_dir}: nothing to vacuum")
    with _kept_alone(data_dir, locks):
        paths = [path for pattern in DATABASES for path in sorted(data_dir.glob(pattern))]
        paths = [path for path in paths if path.is_file() and not path.is_symlink()]
        FreeSpace(data_dir, free_bytes).require(COPIES * max(map(_count_used, paths), default=0), INDEX_PART)
        for path in paths:
            before, error = _size(path), _vacuum(path, data_dir)
            yield VacuumedDatabase(str(path.relative_to(data_dir)), before, _size(path), error)


@contextmanager
def _kept_alone(data_dir: Path, locks: CrawlLocks | None) -> Iterator[None]:
    """Keeps out what writes for long, or reads one moment of all. Raises EngineError while it is at work."""
    with ExitStack() as held:
        locks = locks or held.enter_context(closing(RunLocks(data_dir)))
        held.enter_context(locks.lock_all(VACUUM_HOLDER))
        for kind in ("rebuild", "backup"):
            held.enter_context(lock_folder(data_dir, kind, VACUUM_HOLDER))
        yield


def _count_used(path: Path) -> int:
    """Counts the bytes of a database that are in use; all of a file that cannot be read."""
    try:
        with closing(sqlite3.connect(path, timeout=BUSY_SECONDS)) as database:
            numbers = (
                database.execute(f"PRAGMA {name}").fetchone() for name in ("page_count", "freelist_count")
            )
            (pages,), (free,) = numbers
            (size,) = database.execute("PRAGMA page_size").fetchone()
    except sqlite3.Error:
        return path.stat().st_size
    return int((pages - free) * size)


def _vacuum(path: Path, data_dir: Path) -> str:
    """Vacuums a database, its temporary file beside it; returns why it could not."""
    try:
        with closing(sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)) as database:
            # Else in /tmp, which may be small, and another disk than the one that was looked at.
            folder = str(data_dir.resolve()).replace("'", "''")
            database.execute(f"PRAGMA temp_store_directory = '{folder}'")
            database.execute("VACUUM")
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # waits for those who read what was before
    except sqlite3.Error as error:
        return str(error)
    return ""


def _size(path: Path) -> int:
    """Adds up a database's file and its log."""
    log = path.with_name(f"{path.name}-wal")
    return path.stat().st_size + (log.stat().st_size if log.exists() else 0)
