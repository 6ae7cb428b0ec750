"""Keeps a link graph in a file of SQLite: its statements (json_each, triggers) are SQLite's own."""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from itertools import count, starmap
from pathlib import Path

import numpy as np

from engine.linkgraph import edges
from engine.linkgraph.batch import collect_links
from engine.linkgraph.checksums import checksum_bytes, checksum_numbers
from engine.linkgraph.edges import CountChanges, Edges
from engine.linkgraph.inlinks import Anchor, Inlinks, VotePivots, round_votes
from engine.linkgraph.links import MAX_ANCHORS, MAX_REMEMBERED
from engine.linkgraph.sqlite import checksums, machines
from engine.linkgraph.sqlite.checksums import BUSY_SECONDS
from engine.model import Links
from engine.url import registrable_domain

CACHE_KIB = 32_768  # of the file; what a batch writes lies all over it

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
"""
# A target with added or removed links: its page is stale, or the page that it represents.
_MOVED = """
CREATE TEMP TABLE moved (target INTEGER);
CREATE TEMP TRIGGER said_anew AFTER INSERT ON said BEGIN INSERT INTO moved VALUES (NEW.target); END;
CREATE TEMP TRIGGER said_no_more AFTER DELETE ON said BEGIN INSERT INTO moved VALUES (OLD.target); END;
"""
_STALE = """
WITH RECURSIVE above (target) AS (
    SELECT target FROM moved UNION SELECT stands.target FROM above JOIN stands ON alias = above.target
)
INSERT OR IGNORE INTO stale SELECT source FROM outlinks WHERE source IN (SELECT target FROM above)
"""
# The keys of an object, each with its value and all the numbers that it goes by: its own, its aliases'.
_WANTED = """
WITH RECURSIVE wanted (name, value, target) AS (
    SELECT name, value, names.id FROM json_each(?) JOIN names ON name = key
    UNION SELECT wanted.name, wanted.value, alias FROM wanted JOIN stands USING (target)
)
"""
_ADD_VOTES = "INSERT INTO votes VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET pages = pages + excluded.pages"
_ADD_SAID = "INSERT INTO said VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET pages = pages + excluded.pages"
_NUMBERS = "SELECT name, names.id FROM json_each(?) JOIN names ON name = value"
# Of names whose value is the number of their own voter.
_CAST = "sum(pages), count(*), sum(1.0 * pages / (pages + iif(voter = value, ?, ?)))"
_COUNT = f"""
SELECT name, {_CAST} FROM (
    SELECT name, value, {machines.VOICE} AS voter, sum(pages) AS pages
    FROM cast_votes {machines.JOINED} GROUP BY name, 3
) GROUP BY name
"""  # noqa: S608  (text of ours)
_INLINKS = f"""
WITH cast_votes AS (
    SELECT name, value, voter, pages FROM json_each(?) JOIN names ON name = key JOIN votes
    ON target = names.id
)
{_COUNT}
"""  # noqa: S608  (text of ours)
# The same votes in half of the time: all voters are one by one already but those of one machine.
_VOTES = f"""
SELECT name, own + coalesce(shared / (shared + ?3), 0) FROM (
    SELECT name, total(iif({machines.SAME}, 0, 1.0 * pages / (pages + iif(voter = value, ?2, ?3)))) AS own,
        1.0 * sum(iif({machines.SAME}, pages, NULL)) AS shared
    FROM json_each(?1) JOIN names ON name = key JOIN votes ON target = names.id {machines.JOINED}
    GROUP BY name)
"""  # noqa: S608  (text of ours)
_WITH_ALIASES = """
SELECT DISTINCT name FROM json_each(?) JOIN names ON name = value JOIN stands ON target = names.id
"""
# Takes twice as long, so it is asked of these only. Pages of a voter may use several names of a URL, or all
# of them at once. Which do is not known here, so those count that use the same: no page counts twice.
_INLINKS_WITH_ALIASES = f"""
{_WANTED}, cast_votes AS (
    SELECT name, value, voter, max(pages) AS pages FROM wanted JOIN votes USING (target) GROUP BY name, voter
)
{_COUNT}
"""  # noqa: S608  (text of ours)
# The same pages as _INLINKS counts, in half of the time: who voted does not matter.
_PAGES = """
SELECT name, total(pages), EXISTS (SELECT 1 FROM stands WHERE stands.target = names.id)
FROM json_each(?) JOIN names ON name = value LEFT JOIN votes ON votes.target = names.id GROUP BY names.id
"""
_PAGES_WITH_ALIASES = f"""
{_WANTED} SELECT name, sum(pages) FROM (
    SELECT name, voter, max(pages) AS pages FROM wanted JOIN votes USING (target) GROUP BY name, voter
) GROUP BY name
"""  # noqa: S608  (text of ours)
_ANCHORS = f"""
{_WANTED}
SELECT wanted.name, anchor.name, count(DISTINCT {machines.VOICE})
FROM wanted JOIN said USING (target) JOIN names anchor ON anchor.id = said.anchor {machines.JOINED}
GROUP BY wanted.name, anchor.id ORDER BY wanted.name, 3 DESC, anchor.name
"""  # noqa: S608  (text of ours)
_CALLED = f"{_WANTED} SELECT DISTINCT target FROM wanted ORDER BY target"  # noqa: S608  (text of ours)
_OUTLINKS = """
SELECT name, edges FROM json_each(?) JOIN names ON name = value JOIN outlinks ON source = names.id
"""
_STAND = "INSERT OR REPLACE INTO stands VALUES (?, ?)"
_STAND_ALONE = "DELETE FROM stands WHERE alias = ?"
# Anchor texts of a URL and of its aliases count, or count no more, for the URLs that represent them.
_WORDS_MOVED = """
WITH RECURSIVE above (target) AS (
    VALUES (?) UNION SELECT stands.target FROM above JOIN stands ON alias = above.target
), below (target) AS (VALUES (?) UNION SELECT alias FROM below JOIN stands USING (target))
INSERT OR IGNORE INTO stale SELECT source FROM outlinks WHERE source IN (SELECT target FROM above)
    AND EXISTS (SELECT 1 FROM said WHERE target IN (SELECT target FROM below))
"""


class FileLinkGraph:
    """A link graph in a file; the protocol is LinkGraph."""

    def __init__(self, path: Path) -> None:
        self._numbers: dict[str, int] = {}
        self._connection = sqlite3.connect(path, timeout=BUSY_SECONDS, check_same_thread=False)
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.executescript("PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON")
        self._connection.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
        self._connection.executescript(_SCHEMA + machines.SCHEMA + checksums.SCHEMA + _MOVED)

    def close(self) -> None:
        """Closes the file."""
        self._connection.close()

    def replace(self, sources: Iterable[tuple[str, Links | None]]) -> None:
        """Replaces the outlinks of these pages; None: the page has left."""
        batch = collect_links(sources)
        with self._transaction():
            ids = self._assign_numbers(batch.names())
            now = batch.build_edges(ids)
            before = self._swap([ids[url] for url in batch.urls], batch.left, now)
            self._add_counts(*batch.count_changes(before, now, ids))

    def set_aliases(self, aliases: Sequence[tuple[str, str]]) -> None:
        """Lets links to the first of each pair count for the second from now on; '': for itself."""
        known = json.dumps([alias for alias, _ in aliases])
        query = """SELECT name, target FROM json_each(?) JOIN names ON name = value
            JOIN stands ON alias = names.id"""
        with self._transaction():
            before = dict(self._connection.execute(query, (known,)))
            changed = [(alias, target) for alias, target in aliases if target or alias in before]
            ids = self._assign_numbers({name for pair in changed for name in pair if name})
            for alias, target in changed:
                if target:
                    self._connection.execute(_STAND, (ids[alias], ids[target]))
                else:
                    self._connection.execute(_STAND_ALONE, (ids[alias],))
                concerned = {before.get(alias), ids.get(target)} - {None}
                self._connection.executemany(_WORDS_MOVED, [(one, ids[alias]) for one in concerned])

    def inlinks(self, urls: Sequence[str], pivots: VotePivots) -> dict[str, Inlinks]:
        """Counts the inlinks of URLs that have any; a voter casts pages / (pages + half) of a vote."""
        with_voters = self._with_voters(urls)
        rows = self._connection.execute(_INLINKS, (json.dumps(with_voters), *pivots)).fetchall()
        rows += self._count_with_aliases(with_voters, pivots)
        return {name: Inlinks.of_sums(*sums) for name, *sums in rows}

    def votes(self, urls: Sequence[str], pivots: VotePivots) -> dict[str, float]:
        """Adds up the votes for URLs that have any."""
        with_voters = self._with_voters(urls)
        sums = dict(self._connection.execute(_VOTES, (json.dumps(with_voters), *pivots)))
        sums |= {name: votes for name, _, _, votes in self._count_with_aliases(with_voters, pivots)}
        return {name: round_votes(votes) for name, votes in sums.items()}

    def count_linking_pages(self, urls: Sequence[str]) -> dict[str, int]:
        """Counts the pages that link to those of the URLs that are known: `pages` of their inlinks."""
        rows = self._connection.execute(_PAGES, (json.dumps(urls),)).fetchall()
        counts = {name: int(pages) for name, pages, _ in rows}
        if with_aliases := {name: None for name, _, has_aliases in rows if has_aliases}:
            counts |= self._connection.execute(_PAGES_WITH_ALIASES, (json.dumps(with_aliases),))
        return counts

    def anchors(self, urls: Sequence[str]) -> dict[str, list[Anchor]]:
        """Loads the anchor texts of URLs that have any, those of most voters first."""
        found: dict[str, list[Anchor]] = {}
        for url, text, voters in self._connection.execute(_ANCHORS, (json.dumps(self._with_voters(urls)),)):
            texts = found.setdefault(url, [])
            if text and len(texts) < MAX_ANCHORS:
                texts.append(Anchor(text, voters))
        return found

    def set_machines(self, found: Sequence[tuple[str, str]]) -> None:
        """Saves at which machines the hosts of these URLs answer."""
        by_domain = {registrable_domain(url): machine for url, machine in found if machine}
        with self._transaction():
            numbers = self._assign_numbers(set(by_domain))
            machines.save_machines(self._connection, ((numbers[name], at) for name, at in by_domain.items()))

    def target_numbers(self, urls: Sequence[str]) -> dict[str, list[int]]:
        """Loads the numbers of what each URL, a page in the store, links to."""
        rows = self._connection.execute(_OUTLINKS, (json.dumps(urls),))
        return {url: np.unique(edges.unpack_edges([packed]).target).tolist() for url, packed in rows}

    def numbers(self, urls: Sequence[str]) -> list[int]:
        """Loads the numbers of these URLs, and of those for which links count as for them."""
        wanted = json.dumps(dict.fromkeys(urls))
        return [number for (number,) in self._connection.execute(_CALLED, (wanted,))]

    def stale_urls(self, limit: int) -> list[str]:
        """Loads URLs of pages in the store whose anchor texts changed since they were indexed."""
        query = "SELECT name FROM stale JOIN names ON names.id = target LIMIT ?"
        return [name for (name,) in self._connection.execute(query, (limit,))]

    def mark_fresh(self, urls: Sequence[str]) -> None:
        """Marks URLs as indexed with the anchor texts of now."""
        query = (
            "DELETE FROM stale WHERE target IN (SELECT names.id FROM json_each(?) JOIN names ON name = value)"
        )
        with self._connection:
            self._connection.execute(query, (json.dumps(urls),))

    def mark_all_fresh(self) -> None:
        """Marks every page as fresh: all are about to be indexed anew."""
        with self._connection:
            self._connection.execute("DELETE FROM stale")

    def count_pages(self) -> int:
        """Counts the pages in the store, as far as the graph has followed it."""
        count: int = self._connection.execute("SELECT count(*) FROM outlinks").fetchone()[0]
        return count

    def _count_with_aliases(
        self, with_voters: Mapping[str, int | None], pivots: VotePivots
    ) -> Sequence[tuple[str, int, int, float]]:
        """Counts the inlinks of those of the URLs that have aliases."""
        known = self._connection.execute(_WITH_ALIASES, (json.dumps([*with_voters]),))
        if not (some := {name: with_voters[name] for (name,) in known}):
            return []
        return self._connection.execute(_INLINKS_WITH_ALIASES, (json.dumps(some), *pivots)).fetchall()

    def _with_voters(self, urls: Iterable[str]) -> dict[str, int | None]:
        """Pairs these URLs with the number of who votes on it for itself."""
        own = {url: registrable_domain(url) for url in urls}
        numbers = dict(self._connection.execute(_NUMBERS, (json.dumps(sorted(set(own.values()))),)))
        return {url: numbers.get(name) for url, name in own.items()}

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Begins a step in which nobody else writes."""
        with ExitStack() as failed:
            failed.callback(self._numbers.clear)  # some were given in this step
            with self._connection:
                self._connection.execute("BEGIN IMMEDIATE")
                yield
            failed.pop_all()

    def _assign_numbers(self, names: set[str]) -> Mapping[str, int]:
        """Assigns a number to each name, the same for ever."""
        if len(self._numbers) > MAX_REMEMBERED:
            self._numbers.clear()
        unknown = names.difference(self._numbers)
        self._numbers.update(self._connection.execute(_NUMBERS, (json.dumps(list(unknown)),)))
        (last,) = self._connection.execute("SELECT coalesce(max(id), 0) FROM names").fetchone()
        new = dict(zip(sorted(unknown.difference(self._numbers)), count(last + 1)))
        self._connection.executemany("INSERT INTO names (name, id) VALUES (?, ?)", new.items())
        self._numbers.update(new)
        return self._numbers

    def _swap(self, sources: Sequence[int], left: Sequence[bool], now: Edges) -> Edges:
        """Writes the edges of pages, but of those that have left; returns the edges they had before."""
        query = "SELECT value, edges FROM json_each(?) JOIN outlinks ON source = value"
        before = dict(self._connection.execute(query, (json.dumps(sources),)))
        gone = [(source,) for source, is_gone in zip(sources, left, strict=True) if is_gone]
        self._connection.executemany("DELETE FROM outlinks WHERE source = ?", gone)
        self._connection.executemany("DELETE FROM stale WHERE target = ?", gone)
        rows = zip(sources, edges.pack_edges(now, len(sources)), left, strict=True)
        kept = [(source, packed) for source, packed, is_gone in rows if not is_gone]
        self._connection.executemany("INSERT OR REPLACE INTO outlinks VALUES (?, ?)", kept)
        added = sum(starmap(checksum_bytes, kept)) - sum(starmap(checksum_bytes, before.items()))
        checksums.add_to_checksum(self._connection, "outlinks", added)
        return edges.unpack_edges([before.get(source, b"") for source in sources])

    def _add_counts(self, votes: CountChanges, words: CountChanges) -> None:
        """Adds to the counts; one that falls to nothing leaves."""
        write = self._connection.executemany
        write(_ADD_VOTES, votes.rows())
        write(_ADD_SAID, words.rows())
        write("DELETE FROM votes WHERE target = ? AND voter = ? AND pages <= 0", votes.losses())
        write("DELETE FROM said WHERE target = ? AND anchor = ? AND voter = ? AND pages <= 0", words.losses())
        for table, counted in (("votes", votes), ("said", words)):
            amount = checksum_numbers(counted.keys, counted.pages)
            checksums.add_to_checksum(self._connection, table, amount)
        self._connection.execute(_STALE)
        self._connection.execute("DELETE FROM moved")
