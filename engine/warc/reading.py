"""Reads the captures of a WARC file one after the other; what is damaged is left out and counted."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from engine.errors import EngineError
from engine.warc.capture import Capture, parse_capture
from engine.warc.damage import find_hidden_record, find_next_record
from engine.warc.library import import_fastwarc
from engine.warc.zstd import read_dictionary

if TYPE_CHECKING:
    from fastwarc.warc import ArchiveIterator, WarcRecord

MAX_HEAD = 64 * 1024  # bytes of a record's header, and of a response's: what the crawl takes of a server's
MAX_RECORD = 1_000_000_000  # bytes of a record, unpacked: a film; what is larger is not even unpacked
MAX_DAMAGES = 10_000  # of one file, whose rest is left then
DAMAGED, TOO_LARGE = "damaged places", "records too large"


@dataclass(frozen=True, slots=True)
class OpenCapture:
    """A capture whose body can be read until the next one is asked for.

    `offset` is the byte of the file at which its record begins.
    """

    capture: Capture
    offset: int
    _record: "WarcRecord"

    def read_body(self, limit: int) -> bytes:
        """Reads the body as it came, one byte more than `limit` at most. Raises OSError for a damaged one."""
        declared = self._record.content_length
        body: bytes = self._record.reader.read(limit + 1) if self._record.reader else b""
        if len(body) < min(declared, limit + 1):
            raise OSError("record cut short")
        return body


def read_captures(path: Path, counts: Counter[str]) -> Iterator[OpenCapture]:
    """Reads all captures of http(s) URLs in their order; how many records of a kind there are is counted.

    Raises EngineError for what is no WARC file, or one of texts or metadata alone, and OSError.
    """
    dictionary = read_dictionary(path)
    if find_next_record(path, 0, dictionary) is None:
        raise EngineError(f"{path} is no WARC file: name one that ends in .warc, .warc.gz or .warc.zst")
    with path.open("rb") as file:
        reader = _RecordReader(path, file, dictionary)
        for number, record in enumerate(reader):
            kind = str(record.record_type)
            counts[kind] += 1
            try:
                capture = parse_capture(record, number, MAX_HEAD)
            except (OSError, ValueError):
                reader.count_damage()
                continue
            if capture:
                yield OpenCapture(capture, record.stream_pos, record)
        counts[DAMAGED] += reader.damages
        counts[TOO_LARGE] += reader.too_large
        _require_captures(path, counts)


class _RecordReader:
    """Iterates over the records of a file, past those that are damaged."""

    def __init__(self, path: Path, file: BinaryIO, dictionary: bytes) -> None:
        self._path, self._file, self._dictionary = path, file, dictionary
        self._records = self._open(0)
        self._at = -1  # where the last record began that was read
        self._is_counted = False
        self.damages = self.too_large = 0

    def __iter__(self) -> Iterator["WarcRecord"]:
        while self.damages < MAX_DAMAGES:
            try:
                record = next(self._records)
            except StopIteration:
                if not self._go_to(find_hidden_record(self._path, self._at, self._dictionary)):
                    return
                self.count_damage()
                continue
            except OSError:
                self.count_damage()
                if not self._skip():
                    return
                continue
            self._is_counted, self._at = False, record.stream_pos
            if record.content_length > MAX_RECORD:
                self.too_large += 1
                if not self._skip():
                    return
                continue
            yield record

    def count_damage(self) -> None:
        """Counts a damaged place: from a record that can be read to the next one."""
        self.damages += not self._is_counted
        self._is_counted = True

    def _skip(self) -> bool:
        """Goes on at the next record that can be found; tells whether there is one."""
        return self._go_to(find_next_record(self._path, self._at + 1, self._dictionary))

    def _go_to(self, start: int | None) -> bool:
        if start is None:
            return False
        self._at, self._records = start, self._open(start)
        return True

    def _open(self, start: int) -> "ArchiveIterator":
        self._file.seek(start)
        warc, source = import_fastwarc(), self._file
        if start and self._dictionary:  # it stands at the beginning, where it finds it itself
            source = import_module("fastwarc.stream_io").ZstdReader(source, dictionary=self._dictionary)
        records: ArchiveIterator = warc.ArchiveIterator(source, parse_http=False, max_header_len=MAX_HEAD)
        return records


def _require_captures(path: Path, counts: Counter[str]) -> None:
    """Raises EngineError for a file that has something else than captures."""
    if any(counts[kind] for kind in ("response", "resource", "revisit")):
        return
    for kind, what in (("conversion", "texts (WET)"), ("metadata", "metadata (WAT)")):
        if counts[kind]:
            raise EngineError(f"{path} has only {what}: name the WARC file that it was made from")
