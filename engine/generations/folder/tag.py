"""Writes a short text with its checksum atomically: it is the old one or the new one.

The checksum is of the file's name, too: a tag that stands in another's place is damaged.
"""

import os
from pathlib import Path
from zlib import crc32

from engine.errors import DamagedError


def write_tag(path: Path, text: str) -> None:
    """Writes a text and its checksum so that the file holds the old one or the new one, at any moment and
    after a power cut.
    """
    write_atomically(path, f"{text} {_checksum(path, text)}\n")


def read_tag(path: Path) -> str:
    """Reads the text. Raises FileNotFoundError, and DamagedError where it is not what was written."""
    try:
        text, _, checksum = path.read_bytes().decode("utf-8").rpartition(" ")
    except UnicodeDecodeError as error:
        raise DamagedError(path) from error
    if checksum != f"{_checksum(path, text)}\n":
        raise DamagedError(path)
    return text


def read_number(path: Path) -> int:
    """Reads a tag that is a number."""
    try:
        return int(read_tag(path))
    except ValueError as error:
        raise DamagedError(path) from error


def write_atomically(path: Path, text: str) -> None:
    """Writes a text that is read as it stands, without a checksum, as write_tag() does."""
    aside = path.with_name(f"{path.name}.draft")
    with aside.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    aside.rename(path)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Brings the names of a folder's files to the disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _checksum(path: Path, text: str) -> str:
    named = f"{path.name}\n{text}"
    return f"{crc32(named.encode()):08x}"
