"""Finds where the next record of a damaged WARC file begins."""

import mmap
import re
import zlib
from collections.abc import Callable
from os import SEEK_END
from pathlib import Path
from typing import BinaryIO

import zstandard

from engine.warc.zstd import FRAME, is_zstd, unpack_beginning

_GZIP = b"\x1f\x8b\x08"  # RFC 1952, 2.3.1: magic and the only method there is
_VERSION = b"WARC/1."
_PLAIN = re.compile(rb"(?:^|(?<=\n))WARC/1\.[01]\r?\n")
_GZIP_WINDOW = zlib.MAX_WBITS | 16
_PIECE = 65_536  # bytes of a member that are read, and unpacked, at once
_LOOK = 1_024  # bytes of a member that are unpacked to see what it is
_LOOK_FRAME = 132_000  # bytes of a frame: its first block and what stands before it (RFC 8878, 3.1.1.2.4)


def find_next_record(path: Path, start: int, dictionary: bytes = b"") -> int | None:
    """Finds the first record that begins at byte `start` or behind; None where no more does.

    In a packed file a record is a member of its own (ISO 28500, annex D), or a frame (IIPC, warc-zstd 1.0),
    which may need a `dictionary`: one that is packed as a whole has no second beginning.
    """
    if not path.stat().st_size:
        return None
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as octets:
        if is_zstd(octets[:4]):
            return _find(
                octets, start, FRAME, lambda at: _is_frame(octets[at : at + _LOOK_FRAME], dictionary)
            )
        if octets[: len(_VERSION)] != _VERSION:
            found = _find(octets, start, _GZIP, lambda at: _is_member(octets[at : at + _LOOK]))
            if found is not None:
                return found
        plain = _PLAIN.search(octets, start)
        return plain.start() if plain else None


def find_hidden_record(path: Path, last: int, dictionary: bytes = b"") -> int | None:
    """Finds the first record behind the one that begins at byte `last`, which was read as the file's last.

    What looks like the head of a member may say that it is longer than the file (RFC 1952, 2.3): then the
    rest is read as that, without an error. Inside of the last record nothing is looked for; `last` is -1
    where none was read.
    """
    with path.open("rb") as file:
        if file.read(len(_GZIP)) != _GZIP:
            return None
        end = _find_member_end(file, last) if last >= 0 else 0
    return find_next_record(path, end, dictionary)


def _find_member_end(file: BinaryIO, start: int) -> int:
    """Finds the byte behind a member, the end of the file where its packing is damaged."""
    unpacker = zlib.decompressobj(_GZIP_WINDOW)
    file.seek(start)
    while not unpacker.eof and (piece := file.read(_PIECE)):
        try:
            packed = piece
            while packed and not unpacker.eof:
                unpacker.decompress(packed, _PIECE)
                packed = unpacker.unconsumed_tail
        except zlib.error:
            return file.seek(0, SEEK_END)
    return file.tell() - len(unpacker.unused_data)


def _find(octets: mmap.mmap, start: int, magic: bytes, is_record: Callable[[int], bool]) -> int | None:
    at = octets.find(magic, start)
    while at >= 0:
        if is_record(at):
            return at
        at = octets.find(magic, at + 1)
    return None


def _is_frame(packed: bytes, dictionary: bytes) -> bool:
    try:
        return unpack_beginning(packed, len(_VERSION), dictionary) == _VERSION
    except zstandard.ZstdError:
        return False


def _is_member(packed: bytes) -> bool:
    try:
        return zlib.decompressobj(_GZIP_WINDOW).decompress(packed, len(_VERSION)) == _VERSION
    except zlib.error:
        return False
