"""Writes and reads the archive of a backup: a plain tar file of regular files.

    backup.json             the formats of archive, crawl database and index, and who wrote them
    crawl.toml
    data/crawl.db
    data/index/current, data/index/g000007/...
    data/synonyms.tsv, ...  the operator's files
    complete.json           size and digest of each member before it: an archive without it is cut off

Nothing is compressed (pages and postings are packed already), and nothing but headers and their bytes is
read: no links, no sparse files, no long names. So an archive takes no more room unpacked than packed.
"""

import json
import tarfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from engine.errors import EngineError

FORMAT = 1  # goes up when an older Lycosa could not restore what is written
HEADER = "backup.json"
END = "complete.json"
MAX_MEMBERS = 10_000  # files; an index has some hundred at most
MAX_JSON = 4_000_000  # bytes of a member that is read as a whole: names and digests of MAX_MEMBERS
MAX_NAME = 100  # bytes of a name in a header (ustar); a longer one would need a member of its own
CHUNK = 1 << 20  # bytes that are copied at once
DIGEST_BYTES = 32


class ByteSource(Protocol):
    """Reads like a file."""

    def read(self, size: int, /) -> bytes:
        """Reads so many bytes at most, b"" at the end."""


class ByteSink(Protocol):
    """Writes like a file."""

    def write(self, chunk: bytes, /) -> object:
        """Writes these bytes."""


class ArchiveWriter:
    """An archive that is being written; it is complete after finish()."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._written: dict[str, tuple[int, str]] = {}

    @property
    def names(self) -> list[str]:
        """The names of the members so far."""
        return list(self._written)

    def add(self, name: str, size: int, source: ByteSource, mtime: float) -> None:
        """Adds a file of this size. Raises EngineError where it has become shorter."""
        member = tarfile.TarInfo(name)
        member.size, member.mtime, member.mode = size, int(mtime), 0o600
        self._file.write(member.tobuf(tarfile.GNU_FORMAT))
        digest = copy_bytes(source, size, self._file)
        if digest is None:
            raise EngineError(f"{name} changed while it was saved; run the same command again")
        self._file.write(bytes(-size % tarfile.BLOCKSIZE))
        self._written[name] = size, digest

    def add_json(self, name: str, value: Mapping[str, Any], mtime: float) -> None:
        """Adds an object as JSON."""
        text = json.dumps(value).encode()
        self.add(name, len(text), _Bytes(text), mtime)

    def finish(self, mtime: float) -> None:
        """Adds what the archive is checked by, and its end."""
        self.add_json(END, {"files": self._written}, mtime)
        self._file.write(bytes(2 * tarfile.BLOCKSIZE))


@dataclass
class ArchiveMember:
    """A file of an archive, of which `left` bytes are still to be read."""

    name: str
    size: int
    mtime: float
    left: int
    file: ByteSource

    def read(self, size: int, /) -> bytes:
        """Reads so many bytes at most."""
        chunk = self.file.read(min(size, self.left))
        self.left -= len(chunk)
        return chunk


def read_members(path: Path, file: ByteSource) -> Iterator[ArchiveMember]:
    """Yields the members in their order; each has to be read before the next.

    Raises EngineError for a file that is no archive or is cut off, and for too many members or others than
    regular files.
    """
    for _ in range(MAX_MEMBERS):
        header = file.read(tarfile.BLOCKSIZE)
        try:
            parsed = tarfile.TarInfo.frombuf(header, "utf-8", "surrogateescape")
        except tarfile.HeaderError:
            raise EngineError(f"{path} is cut off, or no backup of Lycosa") from None
        if parsed.type not in (tarfile.REGTYPE, tarfile.AREGTYPE) or parsed.size < 0:
            raise EngineError(
                f"{path} has {parsed.name!r:.200}, which is no regular file: no backup has that"
            )
        member = ArchiveMember(parsed.name, parsed.size, max(parsed.mtime, 0), parsed.size, file)
        yield member
        padding = -parsed.size % tarfile.BLOCKSIZE
        if member.left or len(file.read(padding)) < padding:
            raise EngineError(f"{path} is cut off in {member.name!r:.200}")
    raise EngineError(f"{path} has more than {MAX_MEMBERS:,} files: no backup has that")


def read_json(path: Path, member: ArchiveMember) -> dict[str, Any]:
    """Reads a member that is an object. Raises EngineError where it is none."""
    try:
        found = json.loads(member.read(member.size)) if member.size <= MAX_JSON else None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise EngineError(f"{path} is damaged: {member.name!r:.200} cannot be read")
    return found


def copy_bytes(source: ByteSource, size: int, target: ByteSink) -> str | None:
    """Copies so many bytes, a chunk at a time; returns their digest, None where there are fewer."""
    digest, left = blake2b(digest_size=DIGEST_BYTES), size
    while left and (chunk := source.read(min(left, CHUNK))):
        digest.update(chunk)
        target.write(chunk)
        left -= len(chunk)
    return None if left else digest.hexdigest()


class _Bytes:
    """Reads bytes that are at hand, at once."""

    def __init__(self, text: bytes) -> None:
        self._text = text

    def read(self, size: int, /) -> bytes:
        return self._text[:size]
