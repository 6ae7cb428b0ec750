"""Reads a text file of the operator, again when it has changed."""

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Generic, TypeVar

CHECK_SECONDS = 1.0  # between looks at the file
MAX_BYTES = 1_000_000  # of a file: ten thousand lines
MAX_TOLD = 10  # broken lines of a file that are named; of more, there is something else wrong

T = TypeVar("T")
Row = TypeVar("Row")
logger = logging.getLogger("lycosa")


def parse_line(line: bytes, row: Callable[[str], Row]) -> Iterator[Row]:
    """Parses a line of such a file; nothing of one that is empty or begins with #. Raises ValueError."""
    try:
        text = line.decode("utf-8-sig").strip("\r ")
    except UnicodeDecodeError:
        raise ValueError("UTF-8") from None
    if text and not text.startswith("#"):
        yield row(text)


def find_broken_lines(text: str, row: Callable[[str], object]) -> list[tuple[int, str]]:
    """Finds the lines that would be skipped, MAX_TOLD at most: their numbers, and what to write there."""
    broken: list[tuple[int, str]] = []
    for number, line in enumerate(text.split("\n"), 1):
        try:
            list(parse_line(line.encode("utf-8", "surrogatepass"), row))
        except ValueError as error:
            broken.append((number, str(error)))
            if len(broken) == MAX_TOLD:
                break
    return broken


class OperatorFile(Generic[Row, T]):
    """The current content of a file of the operator; safe for several threads.

    `row` makes something of a line or raises ValueError with what should stand there: such lines are named in
    the log, once for each state of the file, and skipped. `whole` makes of the rows what is asked for. Empty
    lines and those that begin with # say nothing. Without a file there are no rows.
    """

    def __init__(
        self,
        path: Path,
        row: Callable[[str], Row],
        whole: Callable[[Sequence[Row]], T],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._path, self._row, self._whole, self._clock = path, row, whole, clock
        self._looked = -CHECK_SECONDS
        self._seen: tuple[int, ...] = ()
        self._held = whole(())

    def __call__(self) -> T:
        """Returns what the file says; at most CHECK_SECONDS old."""
        now = self._clock()
        if now - self._looked >= CHECK_SECONDS:
            self._looked = now
            seen = self._read_state()
            if seen != self._seen:
                self._seen = seen
                self._held = self._whole(tuple(self._read_rows()) if seen else ())
        return self._held

    def _read_state(self) -> tuple[int, ...]:
        try:
            file = self._path.stat()
        except OSError:
            return ()
        return file.st_mtime_ns, file.st_size, file.st_ino

    def _read_rows(self) -> Iterator[Row]:
        warned = 0
        for number, line in enumerate(self._read_lines(), 1):
            try:
                yield from parse_line(line, self._row)
            except ValueError as error:
                warned += 1
                if warned <= MAX_TOLD:
                    logger.warning("%s, line %s is skipped: write %s", self._path, number, error)

    def _read_lines(self) -> list[bytes]:
        try:
            with self._path.open("rb") as file:
                read = file.read(MAX_BYTES + 1)
        except OSError as error:
            logger.warning("%s cannot be read: %s", self._path, error.strerror)
            return []
        if len(read) <= MAX_BYTES:
            return read.split(b"\n")
        logger.warning("%s is read up to %s bytes: make it shorter", self._path, f"{MAX_BYTES:,}")
        return read[:MAX_BYTES].split(b"\n")[:-1]
