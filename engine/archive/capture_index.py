"""Indexes the captures of archives on the disk: which of each URL is imported, what its robots.txt said.

In memory are some pages of the index alone, however many captures there are. It has no name on the disk, so
that nothing of it is left whatever ends the import.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import NamedTuple

from engine.robots import ROBOTS_HEADERS
from engine.warc import REVISIT, Capture

CACHE_KIB = 32_000  # of the index that stay in memory

_TABLES = """
CREATE TABLE captures (
    url TEXT NOT NULL, at REAL NOT NULL, file INTEGER, number INTEGER,
    revisit INTEGER NOT NULL, digest TEXT NOT NULL, refers_to TEXT NOT NULL, robots_tags TEXT NOT NULL,
    duplicate_of TEXT
);
CREATE TABLE robots (host TEXT NOT NULL, at REAL NOT NULL, status INTEGER NOT NULL, body BLOB NOT NULL);
CREATE TABLE damaged (url TEXT NOT NULL, file INTEGER NOT NULL, number INTEGER NOT NULL);
"""
_INDEXES = """
CREATE INDEX by_digest ON captures (digest) WHERE NOT revisit AND digest != '';
CREATE INDEX by_url ON captures (url, at);
CREATE INDEX by_body ON captures (file, number);
CREATE INDEX by_host ON robots (host, at);
"""
# A revisit has the body of the capture with its digest, or of the last one of the URL that it refers to.
_RESOLVE = """
UPDATE captures SET (file, number) = (
    SELECT file, number FROM captures AS found
    WHERE NOT found.revisit AND found.digest = captures.digest AND found.digest != '' LIMIT 1
) WHERE revisit AND file IS NULL AND digest != '';
UPDATE captures SET (file, number) = (
    SELECT file, number FROM captures AS found
    WHERE NOT found.revisit AND found.url = captures.refers_to AND found.at <= captures.at
    ORDER BY found.at DESC LIMIT 1
) WHERE revisit AND file IS NULL;
"""
_CHOOSE = """
CREATE TABLE chosen AS
    SELECT url, max(at) AS at, file, number, robots_tags FROM captures WHERE file IS NOT NULL GROUP BY url;
CREATE INDEX chosen_in_order ON chosen (file, number);
"""
_LEAVE_OUT_DAMAGED = """
DELETE FROM captures WHERE NOT revisit AND (file, number) IN (SELECT file, number FROM damaged);
UPDATE captures SET file = NULL, number = NULL WHERE (file, number) IN (SELECT file, number FROM damaged);
"""
_CHOOSE_OTHERS = """
DELETE FROM chosen;
INSERT INTO chosen
    SELECT url, max(at) AS at, file, number, robots_tags FROM captures
    WHERE file IS NOT NULL AND url IN (SELECT url FROM damaged) GROUP BY url;
DELETE FROM damaged WHERE url IN (SELECT url FROM chosen);
"""


class Chosen(NamedTuple):
    """The capture of a URL that is imported: record `number` of a file has its body.

    `robots_tags` are the X-Robots-Tags of a revisit, a line for each: its body is that of another capture.
    """

    url: str
    at: float
    file: int
    number: int
    robots_tags: str


class ArchivedRobotsTxt(NamedTuple):
    """A robots.txt as it was captured."""

    at: float
    status: int
    body: bytes


class CaptureIndex:
    """The captures of some files, which have numbers. For one thread."""

    def __init__(self, folder: Path) -> None:
        with NamedTemporaryFile(dir=folder, prefix="import.") as file:  # SQLite opens it before it leaves
            self._database = sqlite3.connect(file.name, isolation_level=None)
            self._database.executescript(
                f"PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-{CACHE_KIB};"
                f"PRAGMA locking_mode=EXCLUSIVE; BEGIN; {_TABLES}"
            )

    def add(self, url: str, file: int, capture: Capture, refers_to: str, duplicate_of: str | None) -> None:
        """Adds a capture of a canonical URL; `refers_to`: the canonical URL that a revisit refers to.

        `duplicate_of`: the canonical URL whose copy it is, '' where it is none, None where nobody says it.
        """
        revisit = capture.kind == REVISIT
        in_file, tags = (None, "\n".join(_robots_tags(capture))) if revisit else (file, "")
        place = (url, capture.at, in_file, capture.number)
        row = (*place, revisit, capture.digest, refers_to, tags, duplicate_of)
        self._database.execute("INSERT INTO captures VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)

    def add_robots(self, host: str, found: ArchivedRobotsTxt) -> None:
        """Adds a captured robots.txt."""
        self._database.execute("INSERT INTO robots VALUES (?, ?, ?, ?)", (host, *found))

    def choose(self) -> int:
        """Chooses the newest capture of each URL; returns how many revisits have nowhere a body."""
        self._execute(_INDEXES, _RESOLVE, _CHOOSE)
        lost = "SELECT count(*) FROM captures WHERE file IS NULL"
        return int(self._database.execute(lost).fetchone()[0])

    def add_damaged(self, chosen: Iterable[Chosen]) -> None:
        """Adds captures that were chosen, but whose body is damaged."""
        rows = [(one.url, one.file, one.number) for one in chosen]
        self._database.executemany("INSERT INTO damaged VALUES (?, ?, ?)", rows)

    def choose_others(self) -> int:
        """Chooses the newest of the other captures of URLs that were added as damaged; returns how many have
        one.
        """
        self._execute(_LEAVE_OUT_DAMAGED, _RESOLVE, _CHOOSE_OTHERS)
        return int(self._database.execute("SELECT count(*) FROM chosen").fetchone()[0])

    def count_damaged(self) -> int:
        """Counts the URLs that were added as damaged and have no other capture."""
        return int(self._database.execute("SELECT count(*) FROM damaged").fetchone()[0])

    def chosen(self, file: int) -> Iterator[Chosen]:
        """Returns what was chosen of a file, in the order of its records."""
        query = "SELECT url, at, file, number, robots_tags FROM chosen WHERE file = ? ORDER BY number"
        return map(Chosen._make, self._database.execute(query, (file,)))

    def has(self, url: str) -> bool:
        """Tells whether there is a capture of a canonical URL."""
        query = "SELECT 1 FROM captures WHERE url = ? AND file IS NOT NULL"
        return self._database.execute(query, (url,)).fetchone() is not None

    def find_original(self, url: str, at: float) -> str | None:
        """Finds the URL whose copy a capture is, '' where it is none, None where nobody says it.

        Of captures of one time the last counts: a page may have become a copy since it was exported.
        """
        query = "SELECT duplicate_of FROM captures WHERE url = ? AND at = ? ORDER BY file DESC, number DESC"
        row = self._database.execute(query, (url, at)).fetchone()
        return row[0] if row else None

    def find_robots(self, host: str, at: float) -> ArchivedRobotsTxt | None:
        """Finds the robots.txt that held at a time: the last before, else the first after, or None."""
        query = "SELECT at, status, body FROM robots WHERE host = ?"
        before = self._database.execute(
            f"{query} AND at <= ? ORDER BY at DESC LIMIT 1", (host, at)
        ).fetchone()
        row = before or self._database.execute(f"{query} ORDER BY at LIMIT 1", (host,)).fetchone()
        return ArchivedRobotsTxt(*row) if row else None

    def _execute(self, *statements: str) -> None:
        for statement in ";".join(statements).split(";"):
            self._database.execute(statement)

    def close(self) -> None:
        """Forgets all."""
        self._database.close()


def _robots_tags(capture: Capture) -> list[str]:
    return [value for name, value in capture.headers if name in ROBOTS_HEADERS]
