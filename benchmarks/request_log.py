"""Measures the request log beside Python's logging: microseconds of processor time for a visit.

Both hand a visit over to a thread that writes it as a line of JSON; it needs no sites.
"""

import json
import logging
import time
from collections.abc import Callable, Iterator
from logging.handlers import QueueHandler, QueueListener, RotatingFileHandler
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from benchmarks.instruments.row import Row, cost_row, report_progress
from engine.errors import EngineError
from engine.history.log_files import MAX_FILE
from engine.history.recorder import Recorder
from engine.model import Claim, Fetch, State, Visit

PEER = "logging"
VISITS = 20_000  # fewer than may wait: none is dropped
ROUNDS = 5  # the best one counts: the others were disturbed
HOST = "https://docs.example.org"


class LogCost(NamedTuple):
    """Microseconds for a visit: of the thread that hands it over, and of all threads."""

    handing: float
    whole: float


def rows() -> Iterator[Row]:
    """What the crawl pays for a visit before it goes on, and what writing it costs in all.

    Raises EngineError where a visit was not written.
    """
    visits = [_visit(number) for number in range(VISITS)]
    ours, theirs = _best(visits, _record), _best(visits, _log)
    yield cost_row("request_log.visit", ours.handing, PEER, theirs.handing)
    yield cost_row("request_log.info.whole", ours.whole, PEER, theirs.whole)


def _best(visits: list[Visit], write: Callable[[list[Visit], Path], float]) -> LogCost:
    measured = []
    for _ in range(ROUNDS):
        with TemporaryDirectory() as folder:
            begun = time.process_time()
            handing = write(visits, Path(folder))
            measured.append((handing, time.process_time() - begun))
            lines = sum(path.read_bytes().count(b"\n") for path in Path(folder).rglob("*.jsonl"))
        if lines != len(visits):
            raise EngineError(f"{lines:,} lines were written of {len(visits):,} visits")
    return LogCost(*(min(seconds) / len(visits) * 1e6 for seconds in zip(*measured, strict=True)))


def _record(visits: list[Visit], folder: Path) -> float:
    """Records visits as the crawl does; returns the seconds of this thread until all are handed over."""
    recorder = Recorder()
    recorder.open(folder, 1, 30, report_progress)
    begun = time.thread_time()
    for visit in visits:
        recorder.add_visit(visit)
    handing = time.thread_time() - begun
    recorder.close()
    return handing


def _log(visits: list[Visit], folder: Path) -> float:
    """Logs a third of the fields, as Python's manual says for who must not wait (Logging Cookbook)."""
    queue = SimpleQueue[Any]()
    file = RotatingFileHandler(folder / "requests.jsonl", maxBytes=MAX_FILE, backupCount=16)
    file.setFormatter(_JsonFormatter())
    logger = logging.Logger("requests")
    logger.addHandler(QueueHandler(queue))
    listener = QueueListener(queue, file)
    listener.start()
    begun = time.thread_time()
    for visit in visits:
        fetch, claim = visit.fetch, visit.fetch.claim
        logger.info(
            "%s", claim.url, extra={"status": fetch.status, "size": fetch.received, "host": claim.host}
        )
    handing = time.thread_time() - begun
    listener.stop()
    file.close()
    return handing


class _JsonFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        """Formats a record as one line of JSON."""
        fields = {name: getattr(record, name) for name in ("status", "size", "host")}
        return json.dumps({"time": record.created, "url": record.getMessage(), **fields})


def _visit(number: int) -> Visit:
    claim = Claim(number, f"{HOST}/manual/chapter-{number}.html", HOST, referrer=f"{HOST}/manual/")
    fetch = Fetch(claim, 200, at=time.time(), seconds=0.02, address="192.0.2.1", received=12_345)
    return Visit(fetch, State.STORED)
