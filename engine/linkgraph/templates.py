"""Learns a host's template: the blocks of text that its pages repeat, from a sample of them.

It lives in the link graph's file, beside the names of pages, and marks pages as stale there.
The sample are the pages whose URLs have the least digests: as good as drawn by lot, and always the
same ones of the same pages, whatever order they came in. So the template follows from the pages
alone, once all are learned from; a rebuild ends with the same one.
"""

import json
import sqlite3
from array import array
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import lru_cache
from hashlib import blake2b
from math import ceil
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.linkgraph.checksums import add_to_checksum, checksum_bytes
from engine.linkgraph.links import BUSY_SECONDS
from engine.url import host_of

SAMPLE = 200  # pages of a host that are learned from; a share of 0.1 is then known to within 0.02
FEWEST = 8  # pages that a block of a template stands on; hosts with fewer pages have no template
SHARE = 0.1  # of the sample: least part that a block of a template stands on; one of ten languages has that
MAX_HOSTS = 1_024  # whose digests are remembered: hosts come in turns
GROWTH = 2  # times the pages of the last time: then a host is learned again while more come

_LARGEST, _NONE = 2**63 - 1, -(2**63) - 1  # of places; before the first

_SCHEMA = """
CREATE TABLE IF NOT EXISTS blocks (
    page INTEGER PRIMARY KEY, host INTEGER NOT NULL, place INTEGER NOT NULL, numbers BLOB NOT NULL
);
CREATE INDEX IF NOT EXISTS blocks_of_host ON blocks (host, place);
CREATE TABLE IF NOT EXISTS templates (
    host INTEGER PRIMARY KEY, pages INTEGER NOT NULL, learned INTEGER NOT NULL DEFAULT 0,
    changed INTEGER NOT NULL DEFAULT 1, numbers BLOB NOT NULL DEFAULT x''
);
CREATE INDEX IF NOT EXISTS templates_changed ON templates (host) WHERE changed;
"""
_PAGES = """
SELECT name, names.id, numbers
FROM json_each(?) JOIN names ON name = value LEFT JOIN blocks ON page = names.id
"""
_STORED = "SELECT name FROM outlinks JOIN names ON names.id = source"
_COUNT = """
INSERT INTO templates (host, pages) VALUES (?, ?)
ON CONFLICT DO UPDATE SET pages = pages + excluded.pages, changed = 1
"""
_GROWN = """
SELECT host FROM json_each(?) JOIN templates ON host = value WHERE changed AND pages >= max(?, ? * learned)
"""
_SAMPLED = "SELECT numbers FROM blocks WHERE host = ? ORDER BY place LIMIT ?"
_LEARNED = "UPDATE templates SET learned = pages, changed = 0, numbers = ? WHERE host = ?"


class Templates:
    """The blocks of the pages in the store, and the templates that follow from them.

    Takes up to 4 kB of disk a page, and 10 MB of memory while a host is learned.
    """

    def __init__(self, path: Path) -> None:
        """`path` is the file of a LinkGraph."""
        self._connection = sqlite3.connect(path, timeout=BUSY_SECONDS)
        self._connection.executescript("PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON")
        self._connection.executescript(_SCHEMA)

    def close(self) -> None:
        """Closes the file."""
        self._connection.close()

    def replace(self, pages: Iterable[tuple[str, Collection[int] | None]]) -> None:
        """Replaces the blocks of these pages, which the link graph has; None: the page has left.

        A host that has grown by much is learned at once, any other when learn() is called.
        """
        packed = {url: None if numbers is None else _pack_numbers(numbers) for url, numbers in pages}
        known = self._connection.execute(_PAGES, (json.dumps(list(packed)),)).fetchall()
        counts: Counter[int] = Counter()
        gone, rows, added = [], [], 0
        for url, page, before in known:
            now = packed[url]
            if now != before:
                host = _digest_of_host(host_of(url))
                counts[host] += (before is None) - (now is None)
                added += checksum_bytes(page, now or b"") - checksum_bytes(page, before or b"")
                if now is None:
                    gone.append((page,))
                else:
                    rows.append((page, host, _digest(url), now))
        with self._connection:
            self._connection.executemany("DELETE FROM blocks WHERE page = ?", gone)
            self._connection.executemany("INSERT OR REPLACE INTO blocks VALUES (?, ?, ?, ?)", rows)
            self._connection.executemany(_COUNT, counts.items())
            add_to_checksum(self._connection, "blocks", added)
        grown = self._connection.execute(_GROWN, (json.dumps(list(counts)), FEWEST, GROWTH))
        self._learn([host for (host,) in grown])

    def sample_filter(self) -> Callable[[str], bool]:
        """Returns a test whether a URL is in the sample of its host, of all pages of the link graph.

        So that a template can be learned before other pages are read. Takes 16 bytes a page meanwhile.
        """
        hosts, places = array("q"), array("q")
        for (url,) in self._connection.execute(_STORED):
            hosts.append(_digest_of_host(host_of(url)))
            places.append(_digest(url))
        bounds = _sample_bounds(np.array(hosts), np.array(places))
        return lambda url: _digest(url) <= bounds.get(_digest_of_host(host_of(url)), _LARGEST)

    def learn(self) -> None:
        """Learns every host whose pages changed since it was learned."""
        changed = self._connection.execute("SELECT host FROM templates WHERE changed").fetchall()
        self._learn([host for (host,) in changed])

    def template_blocks(self, host: str) -> frozenset[int]:
        """Loads the numbers of the blocks of a host's template, as it was learned last."""
        return frozenset(array("q", self._numbers(_digest_of_host(host))))

    def _learn(self, hosts: Sequence[int]) -> None:
        """Learns each host in one step with its pages that become stale, so that a kill loses neither."""
        for host in hosts:
            with self._connection:
                template, before = self._find_template_blocks(host), self._numbers(host)
                moved = template ^ set(array("q", before))
                now = _pack_numbers(sorted(template))
                self._connection.execute(_LEARNED, (now, host))
                add_to_checksum(
                    self._connection, "templates", checksum_bytes(host, now) - checksum_bytes(host, before)
                )
                if moved:
                    stale = "INSERT OR IGNORE INTO stale VALUES (?)"
                    self._connection.executemany(stale, self._find_pages_with(host, moved))

    def _find_template_blocks(self, host: int) -> set[int]:
        """Finds the blocks that many pages of the sample have."""
        sampled = self._connection.execute(_SAMPLED, (host, SAMPLE)).fetchall()
        counts: Counter[int] = Counter()
        for (numbers,) in sampled:
            counts.update(array("q", numbers))
        least = max(FEWEST, ceil(SHARE * len(sampled)))
        return {number for number, count in counts.items() if count >= least}

    def _find_pages_with(self, host: int, wanted: set[int]) -> Iterable[tuple[int]]:
        """Yields pages of the host that hold any of the blocks; read one by one, as there may be many."""
        query = "SELECT page, numbers FROM blocks WHERE host = ?"
        for page, numbers in self._connection.execute(query, (host,)):
            if not wanted.isdisjoint(array("q", numbers)):
                yield (page,)

    def _numbers(self, host: int) -> bytes:
        query = "SELECT numbers FROM templates WHERE host = ?"
        row = self._connection.execute(query, (host,)).fetchone()
        return row[0] if row else b""


def _sample_bounds(hosts: NDArray[np.int64], places: NDArray[np.int64]) -> dict[int, int]:
    """Computes the largest digest in the sample of each large host; of hosts with too few pages none."""
    order = np.lexsort((places, hosts))
    hosts, places = hosts[order], places[order]
    found, starts, sizes = np.unique(hosts, return_index=True, return_counts=True)
    large, small = sizes > SAMPLE, sizes < FEWEST
    last = places[starts[large] + SAMPLE - 1]
    bounds = dict(zip(found[large].tolist(), last.tolist(), strict=True))
    return bounds | dict.fromkeys(found[small].tolist(), _NONE)


def _pack_numbers(numbers: Iterable[int]) -> bytes:
    return array("q", numbers).tobytes()


def _digest(text: str) -> int:
    """Hashes a URL or host to 64 bits, the same for ever."""
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little", signed=True)


_digest_of_host = lru_cache(MAX_HOSTS)(_digest)
