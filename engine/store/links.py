"""The link graph: how many pages and voters link to a URL, and with which words.

It lives in a file of its own beside the index and, like the index, can be made again from the
crawl database. Plain sqlite3: this file is never on PostgreSQL, and its statements (upserts by
the thousand, json_each, triggers) are SQLite's own.
"""

import json
import sqlite3
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from engine.page import Link
from engine.url import voter

MAX_OUTLINKS = 5_000  # of one page; a real page has some 70, so the rest is a trap or a farm
MAX_ANCHOR = 200  # characters; anchor text longer than this is a paragraph
MAX_ANCHORS = 64  # different texts for one target, those of most voters first
BUSY_SECONDS = 30.0  # a writer waits this long for another one's commit

_SCHEMA = """
CREATE TABLE IF NOT EXISTS names (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS outlinks (source INTEGER PRIMARY KEY, edges BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS votes (
    target INTEGER, voter INTEGER, pages INTEGER NOT NULL, PRIMARY KEY (target, voter)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS said (
    target INTEGER, anchor INTEGER, voter INTEGER, pages INTEGER NOT NULL, PRIMARY KEY (target, anchor, voter)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS stale (target INTEGER PRIMARY KEY);
CREATE TABLE IF NOT EXISTS stands (alias INTEGER PRIMARY KEY, target INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS stands_for ON stands (target);
CREATE TRIGGER IF NOT EXISTS said_anew AFTER INSERT ON said BEGIN
    INSERT OR IGNORE INTO stale SELECT source FROM outlinks WHERE source = NEW.target;
END;
CREATE TRIGGER IF NOT EXISTS said_no_more AFTER DELETE ON said BEGIN
    INSERT OR IGNORE INTO stale SELECT source FROM outlinks WHERE source = OLD.target;
END;
CREATE TRIGGER IF NOT EXISTS said_of_alias AFTER INSERT ON said BEGIN
    INSERT OR IGNORE INTO stale SELECT source FROM outlinks WHERE source IN (
        SELECT target FROM stands WHERE alias = NEW.target UNION
        SELECT last.target FROM stands JOIN stands last ON last.alias = stands.target
        WHERE stands.alias = NEW.target
    );
END;
CREATE TRIGGER IF NOT EXISTS said_of_alias_no_more AFTER DELETE ON said BEGIN
    INSERT OR IGNORE INTO stale SELECT source FROM outlinks WHERE source IN (
        SELECT target FROM stands WHERE alias = OLD.target UNION
        SELECT last.target FROM stands JOIN stands last ON last.alias = stands.target
        WHERE stands.alias = OLD.target
    );
END;
"""
# The names wanted, each with all the numbers that it goes by: its own and those of its aliases.
_WANTED = """
WITH RECURSIVE wanted (name, target) AS (
    SELECT name, names.id FROM json_each(?) JOIN names ON name = value
    UNION SELECT wanted.name, alias FROM wanted JOIN stands USING (target)
)
"""
_ADD_VOTES = """
INSERT INTO votes VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET pages = pages + excluded.pages
"""
_ADD_SAID = """
INSERT INTO said VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET pages = pages + excluded.pages
"""
# Rounded, as sums of the same votes in another order must give the same score.
_INLINKS = """
SELECT name, sum(pages), count(*), round(sum(1.0 * pages / (pages + ?)), 6)
FROM json_each(?) JOIN names ON name = value JOIN votes ON target = names.id GROUP BY names.id
"""
_WITH_ALIASES = """
SELECT DISTINCT name FROM json_each(?) JOIN names ON name = value JOIN stands ON target = names.id
"""
# Takes twice as long, so it is asked of these only. Pages of a voter may use several names of a URL, or all
# of them at once. Which do is not known here, so those count that use the same: no page counts twice.
_INLINKS_WITH_ALIASES = f"""
{_WANTED}, cast_votes AS (
    SELECT name, max(pages) AS pages FROM wanted JOIN votes USING (target) GROUP BY name, voter
)
SELECT name, sum(pages), count(*), round(sum(1.0 * pages / (pages + ?)), 6) FROM cast_votes GROUP BY name
"""  # noqa: S608  (text of ours)
_ANCHORS = f"""
{_WANTED}
SELECT wanted.name, anchor.name, count(DISTINCT voter)
FROM wanted JOIN said USING (target) JOIN names anchor ON anchor.id = said.anchor
GROUP BY wanted.name, anchor.id ORDER BY wanted.name, 3 DESC, anchor.name
"""  # noqa: S608  (text of ours)
_STAND = "INSERT OR REPLACE INTO stands VALUES (?, ?)"
_STAND_ALONE = "DELETE FROM stands WHERE alias = ?"
_WORDS_MOVED = """
INSERT OR IGNORE INTO stale SELECT source FROM outlinks
WHERE source = ? AND EXISTS (SELECT 1 FROM said WHERE target = ?)
"""


class Inlinks(NamedTuple):
    """What links to a URL: distinct pages, distinct voters, and the votes they cast together."""

    pages: int = 0
    voters: int = 0
    votes: float = 0.0


class Anchor(NamedTuple):
    """Words that links to a URL stand on, and by how many distinct voters they were chosen."""

    text: str
    voters: int


class LinkGraph:
    """Outlinks of the pages in the store, and the inlinks that follow from them (requirements 300, 301)."""

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(path, timeout=BUSY_SECONDS, check_same_thread=False)
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = NORMAL")
        self._connection.executescript(_SCHEMA)

    def close(self) -> None:
        """Give the file back."""
        self._connection.close()

    @contextmanager
    def moment(self) -> Iterator[sqlite3.Connection]:
        """The file as it is now, for several questions that belong together; nothing is written in it."""
        self._connection.execute("BEGIN")
        try:
            yield self._connection
        finally:
            self._connection.rollback()

    def replace(self, sources: Sequence[tuple[str, Sequence[Link] | None]]) -> None:
        """Set the outlinks of these pages in one step; None: the page has left, its links with it."""
        kept = [(url, None if links is None else list(_edges(url, links))) for url, links in sources]
        change = _Change()
        with self._connection:
            ids = self._number(_names(kept))
            for url, links in kept:
                source, casting = ids[url], ids[voter(url)]
                edges = None if links is None else {(ids[target], ids[anchor]) for target, anchor in links}
                change.add(casting, self._swap(source, edges), edges or set())
            self._apply(change)

    def stand(self, aliases: Sequence[tuple[str, str]]) -> None:
        """Links to the first of each pair count for the second from now on; '': for itself."""
        known = json.dumps([alias for alias, _ in aliases])
        query = """SELECT name, target FROM json_each(?) JOIN names ON name = value
            JOIN stands ON alias = names.id"""
        with self._connection:
            before = dict(self._connection.execute(query, (known,)))
            changed = [(alias, target) for alias, target in aliases if target or alias in before]
            ids = self._number({name for pair in changed for name in pair if name})
            for alias, target in changed:
                if target:
                    self._connection.execute(_STAND, (ids[alias], ids[target]))
                else:
                    self._connection.execute(_STAND_ALONE, (ids[alias],))
                concerned = {before.get(alias), ids.get(target)} - {None}
                self._connection.executemany(_WORDS_MOVED, [(one, ids[alias]) for one in concerned])

    def inlinks(self, urls: Sequence[str], half: float) -> dict[str, Inlinks]:
        """Inlinks of those of the URLs that have any; a voter with `half` linking pages casts half a vote."""
        rows = self._connection.execute(_INLINKS, (half, json.dumps(urls))).fetchall()
        with_aliases = [name for (name,) in self._connection.execute(_WITH_ALIASES, (json.dumps(urls),))]
        if with_aliases:
            rows += self._connection.execute(_INLINKS_WITH_ALIASES, (json.dumps(with_aliases), half))
        return {name: Inlinks(pages, voters, votes) for name, pages, voters, votes in rows}

    def anchors(self, urls: Sequence[str]) -> dict[str, list[Anchor]]:
        """Anchor texts of those of the URLs that have any, those of most voters first."""
        found: dict[str, list[Anchor]] = {}
        for url, text, voters in self._connection.execute(_ANCHORS, (json.dumps(urls),)):
            texts = found.setdefault(url, [])
            if text and len(texts) < MAX_ANCHORS:
                texts.append(Anchor(text, voters))
        return found

    def stale(self, limit: int) -> list[str]:
        """URLs of pages in the store whose anchor texts changed since they were settled."""
        query = "SELECT name FROM stale JOIN names ON names.id = target LIMIT ?"
        return [name for (name,) in self._connection.execute(query, (limit,))]

    def settle(self, urls: Sequence[str]) -> None:
        """These URLs were indexed with the anchor texts of now."""
        query = (
            "DELETE FROM stale WHERE target IN (SELECT names.id FROM json_each(?) JOIN names ON name = value)"
        )
        with self._connection:
            self._connection.execute(query, (json.dumps(urls),))

    def settle_all(self) -> None:
        """Every page is about to be indexed anew."""
        with self._connection:
            self._connection.execute("DELETE FROM stale")

    def pages(self) -> int:
        """How many pages are in the store, as far as the graph has followed it."""
        count: int = self._connection.execute("SELECT count(*) FROM outlinks").fetchone()[0]
        return count

    def _number(self, names: set[str]) -> dict[str, int]:
        """A number for each name, the same for ever."""
        wanted = json.dumps(list(names))
        self._connection.execute(
            "INSERT OR IGNORE INTO names (name) SELECT value FROM json_each(?)", (wanted,)
        )
        query = "SELECT name, names.id FROM json_each(?) JOIN names ON name = value"
        return dict(self._connection.execute(query, (wanted,)))

    def _swap(self, source: int, edges: set[tuple[int, int]] | None) -> set[tuple[int, int]]:
        """Write a page's edges, target and anchor by number; the edges it had before."""
        query = "SELECT edges FROM outlinks WHERE source = ?"
        row = self._connection.execute(query, (source,)).fetchone()
        if edges is None:
            self._connection.execute("DELETE FROM outlinks WHERE source = ?", (source,))
            self._connection.execute("DELETE FROM stale WHERE target = ?", (source,))
        else:
            packed = array("q", [number for edge in edges for number in edge]).tobytes()
            self._connection.execute("INSERT OR REPLACE INTO outlinks VALUES (?, ?)", (source, packed))
        numbers = iter(array("q", row[0] if row else b""))
        return set(zip(numbers, numbers, strict=True))

    def _apply(self, change: "_Change") -> None:
        """Add up the counts; a count that falls to nothing leaves."""
        execute = self._connection.executemany
        execute(_ADD_VOTES, [(*key, pages) for key, pages in change.votes.items() if pages])
        execute(_ADD_SAID, [(*key, pages) for key, pages in change.said.items() if pages])
        fewer = [key for key, pages in change.votes.items() if pages < 0]
        execute("DELETE FROM votes WHERE target = ? AND voter = ? AND pages <= 0", fewer)
        fewer_said = [key for key, pages in change.said.items() if pages < 0]
        execute("DELETE FROM said WHERE target = ? AND anchor = ? AND voter = ? AND pages <= 0", fewer_said)


class _Change:
    """What a batch of pages adds to and takes from the counts; pages of one site mostly agree."""

    def __init__(self) -> None:
        self.votes: Counter[tuple[int, int]] = Counter()
        self.said: Counter[tuple[int, int, int]] = Counter()

    def add(self, voter: int, before: set[tuple[int, int]], now: set[tuple[int, int]]) -> None:
        """One page of this voter had the edges `before` and has them `now`."""
        self.said.update((target, anchor, voter) for target, anchor in now - before)
        self.said.subtract((target, anchor, voter) for target, anchor in before - now)
        targets_before, targets_now = {target for target, _ in before}, {target for target, _ in now}
        self.votes.update((target, voter) for target in targets_now - targets_before)
        self.votes.subtract((target, voter) for target in targets_before - targets_now)


def _edges(url: str, links: Sequence[Link]) -> Iterable[tuple[str, str]]:
    """Target and anchor text of the links that count: followed, and to another page."""
    counting = (link for link in links if not link.nofollow and link.url != url)
    return ((link.url, _spoken(link.anchor)) for link in islice(counting, MAX_OUTLINKS))


def _spoken(anchor: str) -> str:
    """Anchor text on one line, of bounded length, as SQLite can keep it (no half surrogates)."""
    return " ".join(anchor[: 2 * MAX_ANCHOR].split())[:MAX_ANCHOR].encode(errors="ignore").decode()


def _names(pages: Iterable[tuple[str, Sequence[tuple[str, str]] | None]]) -> set[str]:
    names: set[str] = set()
    for url, edges in pages:
        names.update((url, voter(url)), *(edges or ()))
    return names
