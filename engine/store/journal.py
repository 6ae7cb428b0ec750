"""Keeps the journal: requests and responses that are not yet in the crawl database.

Between an answer and its commit lie a reader and a batch. A note in a file outlives kill -9 as soon as it is
written, without waiting for the disk, and costs a tenth of a commit: what was answered is read from here
and not asked for again, however often the process dies on its way. What was under way, or was just read from
here, may be what brought it down, so it goes to the back of its host's line, and after five times it counts
as failed.
"""

import json
import os
import struct
import zlib
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

import sqlalchemy as sa

from engine.database import urls
from engine.model import State

MAX_BODY = 1 << 20  # bytes of one answer that is kept; a larger one is asked for again
MAX_KEPT = 8 << 20  # bytes of all answers on their way to the database
MAX_FILE = 4 << 20  # bytes of the file, above which it is written anew without what the database has
MAX_SECONDS = 3_600.0  # after which an answer is too old to be taken for today's
MAX_DEATHS = 5  # of the process in a row while a URL was under way
KILLED = "the crawl was killed while it was under way"

_HEAD = struct.Struct(">cIIII")  # kind, CRC-32 of what follows, lengths of numbers, JSON and bytes
_ASKED, _ANSWERED, _TAKEN, _SETTLED = b"?", b"!", b"*", b"."


@dataclass(frozen=True, slots=True)
class JournaledResponse:
    """A raw response; `at`: time of its request, seconds since 1970; `replayed`: read from the journal."""

    url: str
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    flags: tuple[str, ...] = ()
    at: float = 0.0
    replayed: bool = False


class Journal:
    """One run's notes, by the ids of URLs; without a path none are taken. A disk that is full ends them.

    `after_kill`: there was another, whose process did not live to its end.
    """

    def __init__(
        self,
        path: Path | None = None,
        left: Mapping[int, JournaledResponse] = {},
        *,
        after_kill: bool = False,
    ) -> None:
        self.after_kill = after_kill
        self._path = path
        self._entries: dict[int, JournaledResponse | None] = dict(left)
        self._left = dict(left)
        self._body_bytes = sum(len(answer.body) for answer in left.values())
        self._max_body, self._max_kept = MAX_BODY, MAX_KEPT
        self._size = 0
        self._file: int | None = None
        if path:
            self._begin()

    def allow(self, max_body: int, max_kept: int) -> None:
        """Notes larger responses, and more of them; limits as MAX_BODY and MAX_KEPT."""
        self._max_body, self._max_kept = max_body, max_kept

    def find_response(self, number: int) -> JournaledResponse | None:
        """Finds the response of a URL, as long as the database does not have what came of it."""
        return self._entries.get(number)

    def note_request(self, number: int, url: str) -> JournaledResponse | None:
        """Notes that a URL is under way; returns the answer that an earlier process has left, if any."""
        answer = self._left.pop(number, None)
        if answer and answer.url == url:
            self._entries[number] = replace(answer, replayed=True)
            self._note(_TAKEN, [number])
            return answer
        self._forget(number)
        self._entries[number] = None
        self._note(_ASKED, [number])
        return None

    def note_response(self, number: int, answer: JournaledResponse) -> None:
        """Notes a response, unless it is too large."""
        if number in self._entries and len(answer.body) <= min(
            self._max_body, self._max_kept - self._body_bytes
        ):
            self._entries[number] = answer
            self._body_bytes += len(answer.body)
            self._note(_ANSWERED, [number], answer)

    def note_saved(self, numbers: Iterable[int]) -> None:
        """Forgets URLs that the database has."""
        here = [number for number in numbers if number in self._entries]
        for number in here:
            self._forget(number)
        if here and self._size > MAX_FILE:
            self._begin()
        elif here:
            self._note(_SETTLED, here)

    def close(self) -> None:
        """Closes and removes the file: nothing is under way any more."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
        if self._path:
            self._path.unlink(missing_ok=True)

    def _forget(self, number: int) -> None:
        if answer := self._entries.pop(number, None):
            self._body_bytes -= len(answer.body)

    def _begin(self) -> None:
        """Rewrites the file; it takes the old one's place in one step."""
        assert self._path
        fresh = self._path.with_suffix(".part")
        if self._file is not None:
            os.close(self._file)
        self._size, self._file = 0, None
        with suppress(OSError):
            self._file = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND, 0o600)
            for number, answer in self._entries.items():
                self._note(_ANSWERED if answer else _ASKED, [number], answer)
                if answer and answer.replayed:
                    self._note(_TAKEN, [number])
            fresh.replace(self._path)

    def _note(self, kind: bytes, numbers: Collection[int], answer: JournaledResponse | None = None) -> None:
        if self._file is None:
            return
        ids = struct.pack(f">{len(numbers)}Q", *numbers)
        fields = [answer.url, answer.status, answer.headers, answer.flags, answer.at] if answer else []
        text, body = json.dumps(fields).encode(), answer.body if answer else b""
        check = zlib.crc32(body, zlib.crc32(text, zlib.crc32(ids)))
        record = b"".join((_HEAD.pack(kind, check, len(ids), len(text), len(body)), ids, text, body))
        try:
            written = os.write(self._file, record)
        except OSError:
            written = 0
        self._size += written
        if written < len(record):  # the disk is full: what is torn ends the file for whoever reads it
            os.close(self._file)
            self._file = None


def read_journal(path: Path) -> dict[int, JournaledResponse | None]:
    """Reads what was under way when its writer ended, and the responses that had come."""
    found: dict[int, JournaledResponse | None] = {}
    with suppress(OSError, ValueError, struct.error, TypeError):
        octets = path.read_bytes()
        start = 0
        while start < len(octets):
            kind, check, *lengths = _HEAD.unpack_from(octets, start)
            middle = start + _HEAD.size
            start = middle + sum(lengths)
            if start > len(octets) or zlib.crc32(octets[middle:start]) != check:
                break  # torn, and so the last
            ids, text = lengths[0], lengths[1]
            numbers = struct.unpack_from(f">{ids // 8}Q", octets, middle)
            fields = json.loads(octets[middle + ids : middle + ids + text])
            for number in numbers:
                before = found.pop(number, None)
                if kind == _TAKEN and before:
                    found[number] = replace(before, replayed=True)
                elif kind == _ANSWERED:
                    url, status, headers, flags, at = fields
                    named = tuple((name, value) for name, value in headers)
                    body = octets[middle + ids + text : start]
                    found[number] = JournaledResponse(url, status, named, body, tuple(flags), at)
                elif kind == _ASKED:
                    found[number] = None
    return found


def open_journal(
    connection: sa.Connection, folder: Path, run: int, others: Collection[int], now: float
) -> Journal:
    """Opens a run's journal with what killed runs have left; what they saw no answer to is requeued."""
    files = {path: path.suffix[1:] for path in folder.glob("journal.*") if path.suffix[1:].isdigit()}
    dead = [path for path, number in files.items() if int(number) == run or int(number) not in others]
    left: dict[int, JournaledResponse | None] = {}
    for path in dead:
        left |= read_journal(path)
    fresh = ((number, answer) for number, answer in left.items() if answer and now - answer.at <= MAX_SECONDS)
    answers = {number: replace(answer, replayed=False) for number, answer in fresh}
    requeue_interrupted(
        connection, [number for number, answer in left.items() if answer is None or answer.replayed]
    )
    journal = Journal(folder / f"journal.{run}", answers, after_kill=bool(dead))
    for path in dead:
        if path.suffix[1:] != str(run):
            path.unlink(missing_ok=True)
    return journal


def requeue_interrupted(connection: sa.Connection, numbers: Collection[int]) -> None:
    """Requeues URLs that were under way when the process died; after MAX_DEATHS they have failed."""
    queued = (urls.c.id == sa.bindparam("of")) & (urls.c.state == State.QUEUED)
    last = urls.c.fails + 1 >= MAX_DEATHS
    dead = (
        sa.update(urls)
        .where(queued)
        .values(
            fails=urls.c.fails + 1,
            state=sa.case((last, State.FAILED), else_=urls.c.state),
            reason=sa.case((last, KILLED), else_=urls.c.reason),
        )
    )
    if numbers:
        connection.execute(dead, [{"of": number} for number in numbers])
