"""Reads and writes a commit's table of contents: Whoosh's own, and ours behind it, under one checksum.

    what Whoosh reads | which segments there are (JSON) | its length, the checksum of all before, magic

Whoosh's part holds pickles, which run whatever code they name: it is written for Whoosh alone, and never
read by us. Ours tells of each file of a segment what is at its end, so that no other can take its place.
"""

import json
import re
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

from whoosh import index as whoosh_index
from whoosh.fields import Schema
from whoosh.filedb import filestore

from engine.errors import DamagedError
from engine.generations import MAGIC, NAME, TAIL, file_name, read_table
from engine.segment.codec import ArraySegment
from engine.segment.sections import Mark

_ID = re.compile("[0-9a-z]{1,32}")
_TOC: Any = whoosh_index.TOC
_STORES: Any = filestore


class Contents(NamedTuple):
    """A commit: its number, and its segments in the order of their documents."""

    number: int
    segments: tuple[ArraySegment, ...]


def pack_toc(schema: Schema, made: Contents) -> bytes:
    """Packs the whole file."""
    memory = _STORES.RamStorage()
    _TOC(schema, list(made.segments), made.number).write(memory, NAME)
    head: bytes = memory.files[file_name(made.number)]
    table = json.dumps({"number": made.number, "segments": [each.as_json() for each in made.segments]})
    whole = head + table.encode()
    return whole + TAIL.pack(len(table.encode()), crc32(whole), MAGIC)


def read_toc(path: Path) -> Contents:
    """Reads what was written. Raises FileNotFoundError, OSError, DamagedError."""
    kept = read_table(path)
    try:
        return Contents(int(kept["number"]), tuple(map(_parse_segment, kept["segments"])))
    except (KeyError, TypeError, ValueError) as error:
        raise DamagedError(path) from error


def _parse_segment(kept: dict[str, Any]) -> ArraySegment:
    """Parses a segment. Raises KeyError, TypeError, ValueError for what as_json() cannot have given."""
    size, deleted, gone, votes = (int(kept[name]) for name in ("size", "deleted", "gone", "votes"))
    audiences = kept.get("audiences", ())  # an older Lycosa hid nothing
    if not all(isinstance(one, str) for one in audiences):
        raise ValueError(audiences)
    segment = ArraySegment(NAME, size, deleted, gone, votes)
    segment.audiences = frozenset(audiences)
    if not _ID.fullmatch(kept["id"]):
        raise ValueError(kept["id"])
    segment.segid = kept["id"]
    segment.marks = {name: Mark(int(size), int(checksum)) for name, (size, checksum) in kept["marks"].items()}
    return segment
