"""Locks a data folder; the kernel drops the locks of a dead process, kill -9 included."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from engine.errors import EngineError


@contextmanager
def lock_folder(data_dir: Path, kind: str) -> Iterator[None]:
    """Holds the folder's lock for a `kind` of work ('rebuild').

    Raises EngineError when another process holds it or the folder cannot be written.
    """
    with _lock_file(data_dir, kind) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            file.seek(0)
            raise EngineError(
                f"another {kind} is using {data_dir} (process {file.read(20).strip()}); "
                "wait for it, or stop it"
            ) from error
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        yield


@contextmanager
def wait_for_folder(data_dir: Path, kind: str) -> Iterator[None]:
    """Holds the same lock, but waits for another process that holds it."""
    with _lock_file(data_dir, kind) as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


class RunLocks:
    """The crawls on a data folder: each run holds the byte with its number in one lock file.

    Raises EngineError when the folder cannot be written. One a process: POSIX drops a process's
    locks on a file when it closes any handle to it.
    """

    def __init__(self, data_dir: Path) -> None:
        self._data_dir = data_dir
        self._file = _lock_file(data_dir, "crawl")
        self._own = 0

    def try_lock(self, run: int) -> bool:
        """Takes the run's lock; returns False when another process holds it."""
        if not self._try_lock(1, run):
            return False
        self._own = run
        return True

    def is_locked(self, run: int) -> bool:
        """Tells whether a living process does this run."""
        if run == self._own:
            return True
        if not self._try_lock(1, run):
            return True
        fcntl.lockf(self._file, fcntl.LOCK_UN, 1, run)
        return False

    @contextmanager
    def lock_all(self) -> Iterator[None]:
        """Keeps all others out. Raises EngineError when there are some."""
        if not self._try_lock(0, 0):
            raise EngineError(f"another crawl is using {self._data_dir}; wait for it, or stop it")
        try:
            yield
        finally:
            fcntl.lockf(self._file, fcntl.LOCK_UN, 0, 0)

    def close(self) -> None:
        """Gives the seat back."""
        self._file.close()

    def _try_lock(self, length: int, start: int) -> bool:
        try:
            fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, length, start)
        except OSError:  # PermissionError or BlockingIOError, as the system likes
            return False
        return True


def _lock_file(data_dir: Path, kind: str) -> IO[str]:
    try:
        data_dir.mkdir(parents=True, exist_ok=True)
        return open(data_dir / f"{kind}.lock", "a+", encoding="ascii")
    except OSError as error:
        raise EngineError(
            f"cannot write to the data folder {data_dir}: {error.strerror}; "
            "choose another with -s DATA_DIR=FOLDER"
        ) from error
