"""Divides hosts among the processes that crawl from one database (requirement 26)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from zlib import crc32

from engine.url import machine_network

BUCKETS = 1_024  # of hosts; what moves when a run comes or goes is one of them at least


@dataclass(frozen=True, slots=True)
class HostShare:
    """The share of one run among the living: of `runs` (their numbers, in order) it is `run`.

    Every bucket of hosts belongs to one of them by its number, so nobody has to ask whose a host is. That two
    runs which see different neighbours never ask the same host is the lease's matter, in the database.
    """

    run: int = 0
    runs: tuple[int, ...] = (0,)

    @property
    def is_whole(self) -> bool:
        """Tells whether there is no other run."""
        return len(self.runs) == 1

    @property
    def others(self) -> tuple[int, ...]:
        """The runs whose leases hold."""
        return tuple(run for run in self.runs if run != self.run)

    @property
    def buckets(self) -> Sequence[int]:
        """The buckets of the share."""
        return [bucket for bucket, owner in enumerate(_find_owners(self.runs)) if owner == self.run]

    def includes(self, bucket: int) -> bool:
        """Tells whether the hosts of a bucket belong to the share."""
        return self.is_whole or _find_owners(self.runs)[bucket] == self.run


def place_by_address(address: str) -> int:
    """Returns the bucket of all hosts of one machine: one run keeps the pauses between them."""
    return crc32(machine_network(address).encode()) % BUCKETS


@lru_cache(maxsize=4)
def _find_owners(runs: tuple[int, ...]) -> Sequence[int]:
    """Finds the run of each bucket, that of the highest hash (rendezvous hashing).

    So a run that comes takes 1 of N hosts from each of the others, and nothing else moves.
    """
    return [max(runs, key=lambda run: _hash(run, bucket)) for bucket in range(BUCKETS)]


def _hash(run: int, bucket: int) -> bytes:
    return blake2b(f"{run} {bucket}".encode(), digest_size=8).digest()
