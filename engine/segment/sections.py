"""A file of named arrays: written once, as a whole or not at all, and read where it lies.

    magic | array | array | ... | directory (JSON) | its length, its checksum, magic

Arrays begin at multiples of 64 bytes. The directory has for each its type, place, length and checksum. A
file is opened by reading its end, whatever its size; what is read of the rest, the kernel brings.
"""

import json
import mmap
import os
import struct
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Self
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from engine.errors import EngineError

MAGIC = b"lycosa 1"
_TAIL = struct.Struct("<QI8s")  # bytes of the directory, its CRC-32, magic
_ALIGNED = 64  # bytes: a line of the processor's cache
_AT_ONCE = 1 << 24  # bytes checked at a time


class DamagedError(EngineError):
    """The file is not what was written."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} is damaged: delete the index folder and run `scrapy rebuild`")


class Sections:
    """An open file; arrays of it keep it open. Raises DamagedError and OSError."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            if size < len(MAGIC) + _TAIL.size:
                raise DamagedError(path)
            self._bytes = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        length, checksum, magic = _TAIL.unpack_from(self._bytes, size - _TAIL.size)
        start = size - _TAIL.size - length
        if magic != MAGIC or start < 0 or crc32(self._bytes[start : start + length]) != checksum:
            raise DamagedError(path)
        directory = json.loads(self._bytes[start : start + length])
        self.about: dict[str, Any] = directory["about"]
        self._places: dict[str, tuple[str, int, int, int]] = directory["arrays"]

    def array(self, name: str) -> NDArray[Any]:
        """An array as it was written, in one dimension. Raises KeyError."""
        kind, start, length, _ = self._places[name]
        dtype = np.dtype(kind)
        return np.frombuffer(self._bytes, dtype, length // dtype.itemsize, start)

    def check(self) -> None:
        """Read it all. Raises DamagedError when a byte is not what was written."""
        whole = memoryview(self._bytes)
        for _, start, length, checksum in self._places.values():
            found = 0
            for at in range(start, start + length, _AT_ONCE):
                found = crc32(whole[at : min(at + _AT_ONCE, start + length)], found)
                self.forget()
            if found != checksum:
                raise DamagedError(self.path)

    def forget(self) -> None:
        """What was read counts no more as this process's memory; it is read again when it is asked for."""
        self._bytes.madvise(mmap.MADV_DONTNEED)


class SectionsFile:
    """Such a file while it is written; under another name until it is finished, gone if it never is."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._aside = path.with_name(f"{path.name}.draft")
        self._file: IO[bytes] = self._aside.open("wb")
        self._file.write(MAGIC)
        self._places: dict[str, tuple[str, int, int, int]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.drop()

    def add(self, name: str, array: NDArray[Any]) -> None:
        """An array, in one piece."""
        self.stream(name, array.dtype.str, [np.ascontiguousarray(array).view(np.uint8).data])

    def stream(self, name: str, kind: str, pieces: Iterable[bytes | memoryview]) -> None:
        """An array of a NumPy type, piece by piece."""
        self._file.write(bytes(-self._file.tell() % _ALIGNED))
        start, checksum = self._file.tell(), 0
        for piece in pieces:
            checksum = crc32(piece, checksum)
            self._file.write(piece)
        self._places[name] = (kind, start, self._file.tell() - start, checksum)

    def finish(self, about: dict[str, Any]) -> None:
        """All is on the disk, and the file has its name."""
        directory = json.dumps({"about": about, "arrays": self._places}).encode()
        self._file.write(directory + _TAIL.pack(len(directory), crc32(directory), MAGIC))
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        self._aside.rename(self._path)

    def drop(self) -> None:
        """Nothing of it is left; finished files stay."""
        with suppress(OSError):  # a full disk has no room for what is still in memory
            self._file.close()
        self._aside.unlink(missing_ok=True)
