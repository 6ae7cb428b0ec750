"""Stores records by key in memory that several processes share.

It is a hash table of sets, as a processor's cache is: a key has its place in one set of WAYS records. Forks
of one process share the memory and the hash. A change locks its set alone, by a lock that the kernel releases
when its holder is killed: what that was about to write is lost, or at worst one record holds wrong numbers.
"""

import fcntl
import mmap
import os
from collections.abc import Callable
from math import inf
from struct import Struct
from typing import NamedTuple
from weakref import finalize

WAYS = 8
KEY_BYTES = 16


class Record(NamedTuple):
    """The value of a key; of a full set the one with the least `rank` is forgotten, with `inf` none."""

    rank: float
    values: tuple[float, ...]


class SharedTable:
    """A table of `sets` times WAYS records whose values have a struct format. For one thread of a process."""

    def __init__(self, sets: int, values: str) -> None:
        self._sets = sets
        self._struct = Struct(f"<{KEY_BYTES}sd{values}")
        self._memory = mmap.mmap(-1, sets * WAYS * self._struct.size)
        self._locks = os.memfd_create("lycosa-locks")  # a byte for each set; holds nothing
        finalize(self, os.close, self._locks)

    def change(self, key: bytes, change: Callable[[Record | None], Record | None]) -> None:
        """Changes the record of a key, None without any; a new one for which there is no place is dropped."""
        of_key, number = key.ljust(KEY_BYTES, b"\0"), hash(key) % self._sets
        fcntl.lockf(self._locks, fcntl.LOCK_EX, 1, number)
        try:
            place, record = self._find(of_key, number)
            changed = change(record)
            if place is not None and (record or changed):
                self._write(place, of_key, changed)
        finally:
            fcntl.lockf(self._locks, fcntl.LOCK_UN, 1, number)

    def change_all(self, change: Callable[[Record], Record | None]) -> None:
        """Changes every record."""
        size = self._struct.size
        for number in range(self._sets):
            fcntl.lockf(self._locks, fcntl.LOCK_EX, 1, number)
            try:
                for place in range(number * WAYS * size, (number + 1) * WAYS * size, size):
                    key, rank, *values = self._struct.unpack_from(self._memory, place)
                    if any(key):
                        self._write(place, key, change(Record(rank, tuple(values))))
            finally:
                fcntl.lockf(self._locks, fcntl.LOCK_UN, 1, number)

    def _find(self, key: bytes, number: int) -> tuple[int | None, Record | None]:
        """Finds the place of a key in its set, and its record; None where a set has no place for it."""
        size, free, least = self._struct.size, None, inf
        for place in range(number * WAYS * size, (number + 1) * WAYS * size, size):
            found, rank, *values = self._struct.unpack_from(self._memory, place)
            if found == key:
                return place, Record(rank, tuple(values))
            rank = rank if any(found) else -inf
            if rank < least:
                free, least = place, rank
        return free, None

    def _write(self, place: int, key: bytes, record: Record | None) -> None:
        if record:
            self._struct.pack_into(self._memory, place, key, record.rank, *record.values)
        else:
            self._memory[place : place + self._struct.size] = bytes(self._struct.size)
