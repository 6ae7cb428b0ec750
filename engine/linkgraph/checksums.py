"""Computes what the rows of a link graph add to the checksums of its tables.

SQLite has none, and finds a number that became another only where an index holds it as well; a server has
them where its operator has turned them on. What a row adds depends on all of it, so a sum, which a commit
updates by the rows it changes, tells when a row is not what was written. Beside them stands which commit of
the index the graph is of: what was taken back to an older state is told of as well.
"""

from collections.abc import Sequence
from typing import NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

# A row of numbers adds its amount times (its keys times FACTORS, modulo PRIME): exact for keys below 2**31.
PRIME = 2**31 - 1
FACTORS = (536_870_909, 268_435_399, 134_217_689)  # odd, with few zeros, below 2**29


class IndexPosition(NamedTuple):
    """The last commit of the index that a link graph was there for, and the last change that is in it."""

    commit: int = 0
    change: int = 0


def checksum_numbers(keys: Sequence[NDArray[np.int64]], amounts: NDArray[np.int64]) -> int:
    """Sums what rows of numbers add: columns of keys, and how much of each there is more."""
    hashed = np.zeros_like(amounts)
    for column, factor in zip(keys, FACTORS, strict=False):
        hashed += column * factor
    return int((amounts * (hashed % PRIME)).sum())


def checksum_bytes(key: int, packed: bytes) -> int:
    """Computes the CRC-32 of bytes under a number; 0 where there are none."""
    return crc32(packed, key & 0xFFFFFFFF) if packed else 0
