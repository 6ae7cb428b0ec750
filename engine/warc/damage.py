"""Finds where the next record of a damaged WARC file begins."""

import mmap
import re
import zlib
from pathlib import Path

_GZIP = b"\x1f\x8b\x08"  # RFC 1952, 2.3.1: magic and the only method there is
_VERSION = b"WARC/1."
_PLAIN = re.compile(rb"(?:^|(?<=\n))WARC/1\.[01]\r?\n")
_GZIP_WINDOW = zlib.MAX_WBITS | 16
_LOOK = 1_024  # bytes of a member that are unpacked to see what it is


def find_next_record(path: Path, start: int) -> int | None:
    """Finds the first record that begins at byte `start` or behind; None where no more does.

    In a packed file a record is a member of its own (ISO 28500, annex D): one that is packed as a whole has
    no second beginning.
    """
    if not path.stat().st_size:
        return None
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as octets:
        if octets[: len(_VERSION)] != _VERSION and (found := _find_member(octets, start)) is not None:
            return found
        plain = _PLAIN.search(octets, start)
        return plain.start() if plain else None


def _find_member(octets: mmap.mmap, start: int) -> int | None:
    at = octets.find(_GZIP, start)
    while at >= 0:
        if _is_record(octets[at : at + _LOOK]):
            return at
        at = octets.find(_GZIP, at + 1)
    return None


def _is_record(packed: bytes) -> bool:
    try:
        return zlib.decompressobj(_GZIP_WINDOW).decompress(packed, len(_VERSION)) == _VERSION
    except zlib.error:
        return False
