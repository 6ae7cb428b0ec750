"""Writes and reads the files of the request log: one for each day and each MAX_FILE of it.

Several crawl processes append to the same file: a write of whole lines to a file opened with O_APPEND is one
step (POSIX, write()).
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

LOG_FOLDER = "requests"  # in the data folder
MAX_FILE = 64 << 20  # bytes, above which the next part of the day begins
MAX_WHOLE = 1 << 30  # bytes of all files: some three million requests; the oldest go first
_PATTERN = "????-??-??.????.jsonl"


class LogFiles:
    """The request log of a data folder; `days`: how long lines are kept, 0: none are written."""

    def __init__(self, data_dir: Path, days: int) -> None:
        self._folder = data_dir / LOG_FOLDER
        self._days = days
        self._file: int | None = None
        self._day = ""
        self._is_torn = False  # the last write was cut: the next line begins anew

    def append(self, lines: str, now: float) -> None:
        """Appends whole lines, at a time in seconds since 1970. Raises OSError when the disk refuses."""
        self._turn(format_day(now), now)
        if self._file is None:
            return
        octets = (b"\n" if self._is_torn else b"") + lines.encode()
        if not octets:
            return
        self._is_torn = True
        written = os.write(self._file, octets)
        while written < len(octets):  # a disk that is nearly full takes a part, and then says so
            written += os.write(self._file, octets[written:])
        self._is_torn = False

    def close(self) -> None:
        """Closes the file."""
        if self._file is not None:
            os.close(self._file)
        self._file = None

    def prune(self, now: float) -> None:
        """Deletes files that are older than `days`, and the oldest of those that are too much together."""
        oldest = format_day((datetime.fromtimestamp(now, UTC) - timedelta(days=self._days)).timestamp())
        found = list_files(self._folder)
        whole = 0
        for path in reversed(found):
            whole += _size(path)
            if path.name[: len(oldest)] <= oldest or whole > MAX_WHOLE:
                path.unlink(missing_ok=True)

    def _turn(self, day: str, now: float) -> None:
        """Opens the day's file, or its next part where it is full."""
        if self._file is not None and day == self._day and os.fstat(self._file).st_size < MAX_FILE:
            return
        self.close()
        self.prune(now)
        if not self._days:
            return
        self._folder.mkdir(parents=True, exist_ok=True)
        parts = [path for path in list_files(self._folder) if path.name.startswith(day)]
        number = int(parts[-1].name.split(".")[1]) if parts else 0
        if parts and _size(parts[-1]) >= MAX_FILE:
            number += 1
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC
        self._file = os.open(self._folder / f"{day}.{number:04}.jsonl", flags, 0o600)
        self._day = day


def list_files(folder: Path) -> list[Path]:
    """Lists the files of a log, oldest first."""
    return sorted(folder.glob(_PATTERN))


def read_lines(data_dir: Path) -> Iterator[bytes]:
    """Reads the log of a data folder, oldest line first; a file that is deleted meanwhile ends early."""
    for path in list_files(data_dir / LOG_FOLDER):
        with suppress(FileNotFoundError), path.open("rb") as file:
            yield from file


def read_last_lines(data_dir: Path, most: int) -> Iterator[bytes]:
    """Reads the last lines of a log, at most so many bytes of them, the oldest first."""
    files, wanted = list_files(data_dir / LOG_FOLDER), most
    chosen: list[tuple[Path, int]] = []
    for path in reversed(files):
        size = _size(path)
        chosen.append((path, max(0, size - wanted)))
        wanted -= size
        if wanted <= 0:
            break
    for path, start in reversed(chosen):
        with suppress(FileNotFoundError), path.open("rb") as file:
            file.seek(start)
            if start:
                file.readline()  # the rest of a line
            yield from file


def format_day(at: float) -> str:
    """Formats the day of a time, UTC."""
    return datetime.fromtimestamp(at, UTC).date().isoformat()


def _size(path: Path) -> int:
    with suppress(OSError):
        return path.stat().st_size
    return 0
