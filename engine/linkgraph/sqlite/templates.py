"""Keeps the blocks of pages and the templates of hosts in the link graph's file."""

import json
import sqlite3
from array import array
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path

from engine.linkgraph import templates
from engine.linkgraph.checksums import checksum_bytes
from engine.linkgraph.sqlite.checksums import BUSY_SECONDS, add_to_checksum
from engine.linkgraph.templates import (
    GroupOf,
    digest_of,
    digest_of_host,
    pack_numbers,
    select_template_blocks,
)
from engine.url import host_of

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


class FileTemplates:
    """Templates in a file, with 10 MB of memory while a host is learned; the protocol is Templates."""

    def __init__(self, path: Path, group_of: GroupOf = host_of) -> None:
        """`path` is the file of a link graph."""
        self._group_of = group_of
        self._connection = sqlite3.connect(path, timeout=BUSY_SECONDS)
        self._connection.executescript("PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON")
        self._connection.executescript(_SCHEMA)

    def close(self) -> None:
        """Closes the file."""
        self._connection.close()

    def replace(self, pages: Iterable[tuple[str, Collection[int] | None]]) -> None:
        """Replaces the blocks of these pages, which the link graph has; None: the page has left."""
        packed = {url: None if numbers is None else pack_numbers(numbers) for url, numbers in pages}
        known = self._connection.execute(_PAGES, (json.dumps(list(packed)),)).fetchall()
        counts: Counter[int] = Counter()
        gone, rows, added = [], [], 0
        for url, page, before in known:
            now = packed[url]
            if now != before:
                host = digest_of_host(self._group_of(url))
                counts[host] += (before is None) - (now is None)
                added += checksum_bytes(page, now or b"") - checksum_bytes(page, before or b"")
                if now is None:
                    gone.append((page,))
                else:
                    rows.append((page, host, digest_of(url), now))
        with self._connection:
            self._connection.executemany("DELETE FROM blocks WHERE page = ?", gone)
            self._connection.executemany("INSERT OR REPLACE INTO blocks VALUES (?, ?, ?, ?)", rows)
            self._connection.executemany(_COUNT, counts.items())
            add_to_checksum(self._connection, "blocks", added)
        enough = json.dumps(list(counts)), templates.FEWEST, templates.GROWTH
        grown = self._connection.execute(_GROWN, enough)
        self._learn([host for (host,) in grown])

    def sample_filter(self) -> Callable[[str], bool]:
        """Returns a test whether a URL is in the sample of its host, of all pages of the link graph."""
        stored = (url for (url,) in self._connection.execute(_STORED))
        return templates.make_sample_filter(stored, self._group_of)

    def learn(self) -> None:
        """Learns every host whose pages changed since it was learned."""
        changed = self._connection.execute("SELECT host FROM templates WHERE changed").fetchall()
        self._learn([host for (host,) in changed])

    def template_blocks(self, host: str) -> frozenset[int]:
        """Loads the numbers of the blocks of a host's template, as it was learned last."""
        return frozenset(array("q", self._numbers(digest_of_host(host))))

    def _learn(self, hosts: Sequence[int]) -> None:
        """Learns each host in one step with its pages that become stale, so that a kill loses neither."""
        for host in hosts:
            with self._connection:
                template, before = self._find_template_blocks(host), self._numbers(host)
                moved = template ^ set(array("q", before))
                now = pack_numbers(sorted(template))
                self._connection.execute(_LEARNED, (now, host))
                add_to_checksum(
                    self._connection, "templates", checksum_bytes(host, now) - checksum_bytes(host, before)
                )
                if moved:
                    stale = "INSERT OR IGNORE INTO stale VALUES (?)"
                    self._connection.executemany(stale, self._find_pages_with(host, moved))

    def _find_template_blocks(self, host: int) -> set[int]:
        """Finds the blocks that many pages of the sample have."""
        sampled = self._connection.execute(_SAMPLED, (host, templates.SAMPLE)).fetchall()
        return select_template_blocks([array("q", numbers) for (numbers,) in sampled])

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
