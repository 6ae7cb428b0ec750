"""Reads which segments a commit has, from the JSON at the end of its table of contents.

what Whoosh reads | which segments there are (JSON) | its length, the checksum of all before, magic
"""

import json
import re
import struct
from pathlib import Path
from typing import Any
from zlib import crc32

from engine.errors import DamagedError
from engine.generations.folder.tag import read_number

NAME = "MAIN"  # Whoosh's name for the index that open_dir() opens
TAG = "commit"  # the number of a commit that is complete
TAIL = struct.Struct("<QI8s")  # bytes of the JSON, CRC-32 of what is before this, magic
MAGIC = b"lycosa t"

_FILE = re.compile(f"_{NAME}_([0-9]{{1,18}}).toc")


def file_name(number: int) -> str:
    """Names the file of a commit, as Whoosh calls it."""
    return f"_{NAME}_{number}.toc"


def commit_of_file(name: str) -> int:
    """Returns the number of the commit that a file belongs to, -1 for another file."""
    found = _FILE.fullmatch(name)
    return int(found[1]) if found else -1


def read_table(path: Path) -> dict[str, Any]:
    """Reads the JSON of a table of contents. Raises FileNotFoundError, OSError, DamagedError."""
    whole = path.read_bytes()
    if len(whole) < TAIL.size:
        raise DamagedError(path)
    length, checksum, magic = TAIL.unpack(whole[-TAIL.size :])
    start = len(whole) - TAIL.size - length
    if magic != MAGIC or start < 0 or crc32(memoryview(whole)[: -TAIL.size]) != checksum:
        raise DamagedError(path)
    try:
        table: dict[str, Any] = json.loads(whole[start : -TAIL.size])
        is_named_so = path.name == file_name(table["number"])
    except (KeyError, TypeError, ValueError) as error:
        raise DamagedError(path) from error
    if not is_named_so:
        raise DamagedError(path)
    return table


def count_documents(folder: Path) -> int:
    """Counts the documents of the last commit, without deleted ones. Raises OSError, DamagedError."""
    path = folder / file_name(read_number(folder / TAG))
    try:
        return sum(int(segment["size"]) - int(segment["gone"]) for segment in read_table(path)["segments"])
    except (KeyError, TypeError, ValueError) as error:
        raise DamagedError(path) from error
