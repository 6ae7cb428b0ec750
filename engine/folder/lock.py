"""Locks a data folder; the kernel drops the locks of a dead process, kill -9 included."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from engine.errors import EngineError

MAX_HOLDER = 100  # characters of a lock file that are read


@contextmanager
def lock_folder(data_dir: Path, kind: str, holder: str = "") -> Iterator[None]:
    """Holds the folder's lock for a `kind` of work ('rebuild'); `holder` names other work that keeps it out.

    Raises EngineError, which names the holder, when there is one, or when the folder cannot be written.
    """
    with _lock_file(data_dir, kind) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise _in_use(data_dir, f"another {kind}", file) from error
        _write_holder(file, holder)
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

    def lock(self, run: int) -> None:
        """Takes the run's lock. Raises EngineError while another process keeps all crawls out."""
        if not self._try_lock(1, run):
            if self._is_kept_alone():
                raise self._in_use()
            fcntl.lockf(self._file, fcntl.LOCK_EX, 1, run)  # somebody asks whether it is locked, this moment
        self._own = run

    def is_locked(self, run: int) -> bool:
        """Tells whether a living process does this run; who keeps all crawls out does none."""
        if run == self._own:
            return True
        if not self._try_lock(1, run):
            return not self._is_kept_alone()
        fcntl.lockf(self._file, fcntl.LOCK_UN, 1, run)
        return False

    @contextmanager
    def lock_all(self, holder: str) -> Iterator[None]:
        """Keeps all crawls out; `holder` names what for. Raises EngineError when there are some."""
        if not self._try_lock(0, 0):
            raise self._in_use()
        try:
            _write_holder(self._file, holder)
            yield
        finally:
            self._file.truncate(0)
            fcntl.lockf(self._file, fcntl.LOCK_UN, 0, 0)

    def close(self) -> None:
        """Gives the seat back."""
        self._file.close()

    def _is_kept_alone(self) -> bool:
        """Tells whether a process holds byte 0, which is no run's, and so all others."""
        if not self._try_lock(1, 0):
            return True
        fcntl.lockf(self._file, fcntl.LOCK_UN, 1, 0)
        return False

    def _in_use(self) -> EngineError:
        if self._is_kept_alone():
            return _in_use(self._data_dir, "another process", self._file)
        return _in_use(self._data_dir, "another crawl")

    def _try_lock(self, length: int, start: int) -> bool:
        try:
            fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, length, start)
        except OSError:  # PermissionError or BlockingIOError, as the system likes
            return False
        return True


def _write_holder(file: IO[str], holder: str) -> None:
    """Writes who holds a lock: process and name."""
    file.truncate(0)
    file.write(f"{os.getpid()} {holder}")
    file.flush()


def _in_use(data_dir: Path, unnamed: str, file: IO[str] | None = None) -> EngineError:
    """Names who holds a lock, as its file says; `unnamed`: who it is where no name is written."""
    process, holder = "", ""
    if file:
        file.seek(0)
        process, _, holder = file.read(MAX_HOLDER).strip().partition(" ")
    number = f" (process {process})" if process else ""
    return EngineError(f"{holder or unnamed} is using {data_dir}{number}; wait for it, or stop it")


def _lock_file(data_dir: Path, kind: str) -> IO[str]:
    try:
        data_dir.mkdir(parents=True, exist_ok=True)
        return open(data_dir / f"{kind}.lock", "a+", encoding="ascii")
    except OSError as error:
        raise EngineError(
            f"cannot write to the data folder {data_dir}: {error.strerror}; "
            "choose another with -s DATA_DIR=FOLDER"
        ) from error
