"""Sends arrays of numbers and of digests to the server as they lie in memory (PostgreSQL's array_send)."""

import struct
from collections.abc import Iterable
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray
from psycopg.adapt import AdaptersMap, Dumper
from psycopg.postgres import types
from psycopg.pq import Format

DIGEST = 16  # bytes of a name's SHA-256: by these it is found, as an index takes no texts of any length
_HEAD = struct.Struct("!5i")  # dimensions, whether any is null, type of the elements, length, first index
_HEAD_OF_NONE = struct.Struct("!3i")  # an array without elements has no dimension
_NUMBER = np.dtype([("size", ">i4"), ("value", ">i8")])
_RAW = np.dtype([("size", ">i4"), ("value", f"V{DIGEST}")])


class _NumbersDumper(Dumper):
    """An array of int64 as bigint[]."""

    format = Format.BINARY
    oid = types["int8"].array_oid

    def dump(self, obj: NDArray[np.int64]) -> bytes:
        return _dump(obj, _NUMBER, types["int8"].oid)


class _DigestsDumper(Dumper):
    """Digests as bytea[]."""

    format = Format.BINARY
    oid = types["bytea"].array_oid

    def dump(self, obj: "Digests") -> bytes:
        return _dump(np.frombuffer(obj.raw, f"V{DIGEST}"), _RAW, types["bytea"].oid)


class Digests:
    """Digests of names, one after the other."""

    def __init__(self, digests: Iterable[bytes]) -> None:
        self.raw = b"".join(digests)

    @classmethod
    def of(cls, names: Iterable[str]) -> "Digests":
        """Hashes names."""
        return cls(map(digest_of_name, names))


def digest_of_name(name: str) -> bytes:
    """Hashes a name as it is stored."""
    return sha256(as_stored(name).encode()).digest()[:DIGEST]


def as_stored(text: str) -> str:
    """Replaces U+0000, which PostgreSQL refuses in a text."""
    return text.replace("\0", "\ufffd")


def to_numbers(numbers: Iterable[int]) -> NDArray[np.int64]:
    """Makes an array of 64-bit numbers."""
    return np.fromiter(numbers, np.int64)


def register_arrays(adapters: AdaptersMap) -> None:
    """Lets a connection send arrays."""
    adapters.register_dumper(np.ndarray, _NumbersDumper)
    adapters.register_dumper(Digests, _DigestsDumper)


def _dump(values: NDArray[Any], dtype: np.dtype[Any], oid: int) -> bytes:
    if not len(values):
        return _HEAD_OF_NONE.pack(0, 0, oid)
    elements = np.empty(len(values), dtype)
    elements["size"], elements["value"] = dtype["value"].itemsize, values
    return _HEAD.pack(1, 0, oid, len(values), 1) + elements.tobytes()
