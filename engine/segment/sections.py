"""Stores named arrays with checksums in one file: written atomically once, mapped into memory.

    magic | array | array | ... | directory (JSON) | its length, its checksum, magic

Arrays begin at multiples of 64 bytes. The directory has for each its type, place and length, and a checksum
for each megabyte of it. A file is opened by reading its end, whatever its size; what is read of the rest,
the kernel brings.
"""

import json
import mmap
import os
import struct
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, NamedTuple, Self
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from engine.errors import DamagedError

MAGIC = b"lycosa 2"
_TAIL = struct.Struct("<QI8s")  # bytes of the directory, its CRC-32, magic
_ALIGNED = 64  # bytes: a line of the processor's cache
_IN_MEMORY = Path("memory")  # instead of a path, in errors
GROUP = 1 << 20  # bytes that have a checksum: half a millisecond to check, 12 bytes of the directory
_CHECKED = 16 * GROUP  # bytes that are checked before the kernel may have their pages back

Places = dict[str, tuple[str, int, int, list[int]]]
"""Of each array its NumPy type, where it begins, its bytes, and the CRC-32 of each GROUP of them."""


class Mark(NamedTuple):
    """What tells one file from another: its size, and the checksum of its directory, and so of all it has."""

    size: int  # bytes
    checksum: int


class Sections:
    """An open file, or its octets; arrays of it keep it open. Raises DamagedError and OSError.

    With a `mark` another file than that one is damaged.
    """

    def __init__(self, source: Path | bytes, mark: Mark | None = None) -> None:
        self.path = path = source if isinstance(source, Path) else _IN_MEMORY
        self._bytes = _map_file(source) if isinstance(source, Path) else source
        size = len(self._bytes)
        if size < len(MAGIC) + _TAIL.size:
            raise DamagedError(path)
        length, checksum, magic = _TAIL.unpack_from(self._bytes, size - _TAIL.size)
        start = size - _TAIL.size - length
        if magic != MAGIC or start < 0 or (mark and mark != (size, checksum)):
            raise DamagedError(path)
        if crc32(self._bytes[start : start + length]) != checksum:
            raise DamagedError(path, start)
        try:
            directory = json.loads(self._bytes[start : start + length])
            self.about: dict[str, Any] = directory["about"]
            self._places: Places = directory["arrays"]
        except (ValueError, TypeError, LookupError) as error:  # the checksum of no octets is 0
            raise DamagedError(path, start) from error

    @property
    def size(self) -> int:
        """Its bytes."""
        return len(self._bytes)

    def array(self, name: str) -> NDArray[Any]:
        """Returns an array as it was written, in one dimension. Raises KeyError."""
        kind, start, length, _ = self._places[name]
        dtype = np.dtype(kind)
        return np.frombuffer(self._bytes, dtype, length // dtype.itemsize, start)

    def check(self) -> None:
        """Verifies the checksums of all bytes, few of which are in memory at a time. Raises DamagedError."""
        whole, kept = memoryview(self._bytes), 0
        for _, start, length, checksums in self._places.values():
            for at, checksum in zip(range(start, start + length, GROUP), checksums, strict=True):
                if crc32(whole[at : min(at + GROUP, start + length)]) != checksum:
                    raise DamagedError(self.path, at)
                kept += GROUP
                if kept >= _CHECKED:
                    self.drop_pages()
                    kept = 0
        self.drop_pages()  # of many small files as well

    def drop_pages(self) -> None:
        """Gives back the memory of what was read of a file; it is read again when it is asked for."""
        if isinstance(self._bytes, mmap.mmap):
            self._bytes.madvise(mmap.MADV_DONTNEED)


def _map_file(path: Path) -> mmap.mmap | bytes:
    """Maps a file into memory; an empty one cannot be mapped."""
    with path.open("rb") as file:
        if not os.fstat(file.fileno()).st_size:
            return b""
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def read_mark(path: Path) -> Mark:
    """Reads the mark of a finished file. Raises DamagedError and OSError."""
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        if size < _TAIL.size:
            raise DamagedError(path)
        _, checksum, _ = _TAIL.unpack(os.pread(file.fileno(), _TAIL.size, size - _TAIL.size))
    return Mark(size, checksum)


class SectionsWriter:
    """Writes named arrays one after the other, and what they are behind them."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._file.write(MAGIC)
        self._places: Places = {}

    def add(self, name: str, array: NDArray[Any]) -> None:
        """Writes an array, in one piece."""
        self.stream(name, array.dtype.str, [np.ascontiguousarray(array).ravel().view(np.uint8).data])

    def stream(self, name: str, kind: str, pieces: Iterable[bytes | memoryview]) -> None:
        """Writes an array of a NumPy type, piece by piece."""
        self._file.write(bytes(-self._file.tell() % _ALIGNED))
        start, checksums = self._file.tell(), _Checksums()
        for piece in pieces:
            checksums.add(piece)
            self._file.write(piece)
        self._places[name] = (kind, start, self._file.tell() - start, checksums.found)

    def copy(self, name: str, kind: str, aside: IO[bytes]) -> None:
        """Copies an array of a NumPy type from a file, all of it, a piece at a time."""
        aside.seek(0)
        self.stream(name, kind, iter(lambda: aside.read(GROUP), b""))

    def finish(self, about: dict[str, Any]) -> None:
        """Writes the directory."""
        directory = json.dumps({"about": about, "arrays": self._places}).encode()
        self._file.write(directory + _TAIL.pack(len(directory), crc32(directory), MAGIC))


class SectionsFile(SectionsWriter):
    """Such a file while it is written; under another name until it is finished, gone if it never is."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._aside = path.with_name(f"{path.name}.draft")
        super().__init__(self._aside.open("wb"))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.drop()

    def finish(self, about: dict[str, Any]) -> None:
        """Brings all to the disk, and gives the file its name."""
        super().finish(about)
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        self._aside.rename(self._path)

    def drop(self) -> None:
        """Deletes what is not finished; finished files stay."""
        with suppress(OSError):  # a full disk has no room for what is still in memory
            self._file.close()
        self._aside.unlink(missing_ok=True)


class _Checksums:
    """The CRC-32 of each GROUP of what comes piece by piece."""

    def __init__(self) -> None:
        self.found: list[int] = []
        self._room = 0  # bytes that the last group has not

    def add(self, piece: bytes | memoryview) -> None:
        """Adds the next bytes."""
        left = memoryview(piece)
        while left:
            if not self._room:
                self.found.append(0)
                self._room = GROUP
            taken = left[: self._room]
            self.found[-1] = crc32(taken, self.found[-1])
            self._room -= len(taken)
            left = left[len(taken) :]
