"""Records requests and skips off the crawl's path: a thread writes what the crawl has handed over.

The crawl pays for a tuple in a queue. A disk that is full or slow costs it nothing but these lines: what
cannot be written, or would wait in too much memory, is dropped, and the operator is told so once an hour.
"""

import sqlite3
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from threading import Event, Thread
from typing import Literal, NamedTuple

from engine.history.entry import (
    Request,
    SkippedUrl,
    describe_fetch,
    describe_visit,
    format_request,
    format_skip,
    is_skipped,
)
from engine.history.host_counts import HostDelta, add_counts, begin_round, open_history
from engine.history.log_files import LogFiles
from engine.model import Fetch, Purpose, Visit

FLUSH_SECONDS = 0.5  # between two writes; what a kill may lose
MAX_WAITING = 50_000  # entries that wait for the disk, some 25 MB

Change = Literal["new", "changed", "unchanged", "gone"]


class PageChange(NamedTuple):
    """What a visit made of the page of a host that is in the crawl database."""

    host: str
    change: Change


Entry = Request | SkippedUrl | PageChange


class Recorder:
    """The history of one crawl process; without open() nothing is kept. Used by one thread, and its own."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._waiting: deque[Entry] = deque()
        self._dropped = 0
        self._closing = Event()
        self._thread: Thread | None = None

    def open(self, data_dir: Path, round_number: int, days: int, tell: Callable[[str], object]) -> None:
        """Begins to write; `days`: how long lines are kept, `tell` is told what goes wrong."""
        writer = _Writer(data_dir, round_number, days, tell)
        self._thread = Thread(target=self._write, args=[writer], name="history", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Writes what waits, and ends the thread."""
        if self._thread:
            self._closing.set()
            self._thread.join()
            self._thread = None

    def add_robots(self, fetch: Fetch) -> None:
        """Records the answer to a robots.txt."""
        if self._thread:
            self._add(describe_fetch(fetch))

    def add_visit(self, visit: Visit) -> None:
        """Records a visit."""
        if self._thread:
            self._add(describe_visit(visit))

    def add_skip(self, kind: str, rule: str, url: str) -> None:
        """Records a URL that a rule keeps out of the queue."""
        if self._thread:
            self._add(SkippedUrl(self._clock(), kind, url, rule))

    def add_change(self, host: str, change: Change) -> None:
        """Records what a commit changed in the page of a host."""
        if self._thread:
            self._add(PageChange(host, change))

    def _add(self, entry: Entry) -> None:
        if len(self._waiting) < MAX_WAITING:
            self._waiting.append(entry)
        else:
            self._dropped += 1

    def _write(self, writer: "_Writer") -> None:
        """Writes what waits, until the end."""
        is_last = False
        while not is_last:
            is_last = self._closing.wait(FLUSH_SECONDS)
            dropped, self._dropped = self._dropped, 0
            writer.write([self._waiting.popleft() for _ in range(len(self._waiting))], dropped, self._clock())
        writer.close()


class _Writer:
    """Writes entries into the files of the log, and adds them up by hosts."""

    def __init__(self, data_dir: Path, number: int, days: int, tell: Callable[[str], object]) -> None:
        self._data_dir, self._number, self._tell = data_dir, number, tell
        self._files = LogFiles(data_dir, days)
        self._history = ExitStack()
        self._connection: sqlite3.Connection | None = None

    def write(self, entries: list[Entry], dropped: int, now: float) -> None:
        """Writes entries; an error is told, and these are lost."""
        if dropped:
            self._tell("the disk is too slow for the request log: it lacks some lines")
        lines = "".join(f"{_format(one)}\n" for one in entries if not isinstance(one, PageChange))
        try:
            self._files.append(lines, now)
        except OSError as error:
            self._tell(
                f"the request log cannot be written ({error.strerror}): it lacks what is requested now"
            )
        try:
            self._count(add_up(entries, now))
        except sqlite3.Error as error:
            self._history.close()
            self._connection = None
            self._tell(f"the counts of hosts cannot be written ({error}): reports lack what is requested now")

    def _count(self, deltas: Mapping[str, HostDelta]) -> None:
        if self._connection is None:
            self._connection = self._history.enter_context(open_history(self._data_dir))
            begin_round(self._connection, self._number)
        if deltas:
            add_counts(self._connection, self._number, deltas)

    def close(self) -> None:
        """Closes what is open."""
        self._files.close()
        self._history.close()


def add_up(entries: list[Entry], now: float) -> dict[str, HostDelta]:
    """Adds up requests and changes by hosts."""
    deltas: dict[str, HostDelta] = {}
    for one in entries:
        if isinstance(one, SkippedUrl) or (isinstance(one, Request) and (is_skipped(one) or one.replayed)):
            continue
        delta = deltas.setdefault(one.host, HostDelta(last_at=now))
        if isinstance(one, PageChange):
            setattr(delta, one.change, getattr(delta, one.change) + 1)
        else:
            _add_request(delta, one)
    return deltas


def _add_request(delta: HostDelta, one: Request) -> None:
    delta.requests += 1
    delta.bytes += one.size
    delta.first_at, delta.last_at = min(delta.first_at, one.at), max(delta.last_at, one.at)
    status = str(one.status) if one.status else one.error
    delta.statuses[status if one.kind == Purpose.PAGE else f"{one.kind} {status}"] += 1
    if one.kind == Purpose.PAGE:
        delta.answers += one.status > 0
        delta.errors += not one.status or one.status >= 400
        delta.seconds += one.seconds if one.status else 0.0


def _format(one: Request | SkippedUrl) -> str:
    return format_request(one) if isinstance(one, Request) else format_skip(one)
