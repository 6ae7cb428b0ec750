"""Keeps a link graph in a schema: a batch of pages takes a dozen statements, whatever its size."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import starmap

import numpy as np
from numpy.typing import NDArray

from engine.linkgraph import edges
from engine.linkgraph.batch import collect_links
from engine.linkgraph.checksums import checksum_bytes, checksum_numbers
from engine.linkgraph.edges import CountChanges, Edges
from engine.linkgraph.inlinks import Anchor, Inlinks, VotePivots, round_votes
from engine.linkgraph.links import MAX_ANCHORS
from engine.linkgraph.location import GraphSchema
from engine.linkgraph.postgresql import queries, statements
from engine.linkgraph.postgresql.arrays import Digests, as_stored, to_numbers
from engine.linkgraph.postgresql.checksums import add_to_checksums
from engine.linkgraph.postgresql.connection import SchemaConnection, Step
from engine.linkgraph.postgresql.numbering import NameNumbers
from engine.model import Links
from engine.url import registrable_domain


class ServerLinkGraph:
    """A link graph in a schema; the protocol is LinkGraph."""

    def __init__(self, schema: GraphSchema) -> None:
        self._names = NameNumbers()
        self._connection = SchemaConnection(schema, self._names.forget)

    def close(self) -> None:
        """Closes the connection."""
        self._connection.close()

    def replace(self, sources: Iterable[tuple[str, Links | None]]) -> None:
        """Replaces the outlinks of these pages; None: the page has left."""
        batch = collect_links((as_stored(url), links) for url, links in sources)
        with self._step() as step:
            ids = self._names.assign(step, batch.names())
            now = batch.build_edges(ids)
            before, outlinks = _swap(step, [ids[url] for url in batch.urls], batch.left, now)
            votes, words = batch.count_changes(before, now, ids)
            _mark_moved(step, _add_counts(step, votes, words))
            sums = {name: checksum_numbers(*changes) for name, changes in (("votes", votes), ("said", words))}
            add_to_checksums(step, {**sums, "outlinks": outlinks})

    def set_aliases(self, aliases: Sequence[tuple[str, str]]) -> None:
        """Lets links to the first of each pair count for the second from now on; '': for itself."""
        with self._step() as step:
            places = step.fetch(statements.STANDING, Digests.of(alias for alias, _ in aliases))
            before = {aliases[place - 1][0]: target for place, target in places}
            changed = [(alias, target) for alias, target in aliases if target or alias in before]
            if not changed:
                return
            ids = self._names.assign(step, {name for pair in changed for name in pair if name})
            with step.pipeline():  # one after the other, as what is above one depends on those before
                for alias, target in changed:
                    if target:
                        step.execute(statements.STAND, ids[alias], ids[target])
                    else:
                        step.execute(statements.STAND_ALONE, ids[alias])
                    for one in {before.get(alias), ids.get(target)} - {None}:
                        step.execute(statements.WORDS_MOVED, one, ids[alias])

    def set_machines(self, found: Sequence[tuple[str, str]]) -> None:
        """Saves at which machines the hosts of these URLs answer."""
        by_domain = {registrable_domain(url): machine for url, machine in found if machine}
        if not by_domain:
            return
        with self._step() as step:
            ids = self._names.assign(step, set(by_domain))
            at = {ids[name]: as_stored(machine) for name, machine in by_domain.items()}
            step.execute(statements.SETTLE, to_numbers(at), list(at.values()))

    def inlinks(self, urls: Sequence[str], pivots: VotePivots) -> dict[str, Inlinks]:
        """Counts the inlinks of URLs that have any; a voter casts pages / (pages + half) of a vote."""
        urls = list(dict.fromkeys(urls))
        rows = self._connection.fetch(queries.INLINKS, Digests.of(urls), _voters(urls), *pivots)
        return {urls[place - 1]: Inlinks.of_sums(*sums) for place, *sums in rows}

    def votes(self, urls: Sequence[str], pivots: VotePivots) -> dict[str, float]:
        """Adds up the votes for URLs that have any."""
        urls, asked = list(dict.fromkeys(urls)), (*pivots, pivots.other_domain)
        rows = self._connection.fetch(queries.VOTES, Digests.of(urls), _voters(urls), *asked)
        return {urls[place - 1]: round_votes(votes) for place, votes in rows}

    def count_linking_pages(self, urls: Sequence[str]) -> dict[str, int]:
        """Counts the pages that link to those of the URLs that are known: `pages` of their inlinks."""
        urls = list(dict.fromkeys(urls))
        rows = self._connection.fetch(queries.PAGES, Digests.of(urls))
        return {urls[place - 1]: pages for place, pages in rows}

    def anchors(self, urls: Sequence[str]) -> dict[str, list[Anchor]]:
        """Loads the anchor texts of URLs that have any, those of most voters first."""
        urls = list(dict.fromkeys(urls))
        found: dict[str, list[Anchor]] = {}
        rows = self._connection.fetch(queries.ANCHORS, Digests.of(urls), _voters(urls), MAX_ANCHORS)
        for place, text, voters in rows:
            texts = found.setdefault(urls[place - 1], [])
            if text:
                texts.append(Anchor(text, voters))
        return found

    def target_numbers(self, urls: Sequence[str]) -> dict[str, list[int]]:
        """Loads the numbers of what each URL, a page in the store, links to."""
        rows = self._connection.fetch(queries.OUTLINKS, Digests.of(urls))
        return {
            urls[place - 1]: np.unique(edges.unpack_edges([packed]).target).tolist() for place, packed in rows
        }

    def numbers(self, urls: Sequence[str]) -> list[int]:
        """Loads the numbers of these URLs, and of those for which links count as for them."""
        return [number for (number,) in self._connection.fetch(queries.CALLED, Digests.of(urls))]

    def stale_urls(self, limit: int) -> list[str]:
        """Loads URLs of pages in the store whose anchor texts changed since they were indexed."""
        return [name for (name,) in self._connection.fetch(queries.STALE, limit)]

    def mark_fresh(self, urls: Sequence[str]) -> None:
        """Marks URLs as indexed with the anchor texts of now."""
        with self._step() as step:
            step.execute(statements.FRESH, Digests.of(urls))

    def mark_all_fresh(self) -> None:
        """Marks every page as fresh: all are about to be indexed anew."""
        with self._step() as step:
            step.execute("DELETE FROM stale")

    def count_pages(self) -> int:
        """Counts the pages in the store, as far as the graph has followed it."""
        ((count,),) = self._connection.fetch("SELECT count(*) FROM outlinks")
        return int(count)

    @contextmanager
    def _step(self) -> Iterator[Step]:
        """Begins a step; if it fails, the numbers that it gave are given anew."""
        with ExitStack() as failed:
            failed.callback(self._names.forget)
            with self._connection.step() as step:
                yield step
            failed.pop_all()


def _swap(step: Step, sources: Sequence[int], left: Sequence[bool], now: Edges) -> tuple[Edges, int]:
    """Writes the edges of pages, but of those that have left; returns those before, and the checksum."""
    before: dict[int, bytes] = dict(step.fetch(statements.BEFORE, to_numbers(sources)))
    packed = dict(zip(sources, edges.pack_edges(now, len(sources)), strict=True))
    gone = [source for source, is_gone in zip(sources, left, strict=True) if is_gone]
    kept = {source: packed[source] for source, is_gone in zip(sources, left, strict=True) if not is_gone}
    changed = {source: its for source, its in kept.items() if its != before.get(source)}
    if gone:
        step.execute(statements.LEAVE, to_numbers(gone))
    if changed:
        step.execute(statements.LINK, to_numbers(changed), list(changed.values()))
    added = sum(starmap(checksum_bytes, kept.items())) - sum(starmap(checksum_bytes, before.items()))
    return edges.unpack_edges([before.get(source, b"") for source in sources]), added


def _add_counts(step: Step, votes: CountChanges, words: CountChanges) -> set[int]:
    """Adds to the counts; one that falls to nothing leaves. Returns targets of words that came or left."""
    if not len(votes.pages) and not len(words.pages):
        return set()
    step.execute(statements.ADD_VOTES, *votes.keys, votes.pages)
    moved = step.fetch(statements.ADD_SAID, *words.keys, words.pages)
    if np.any(votes.pages < 0):
        step.execute(statements.DROP_VOTES, *_losses(votes))
    if np.any(words.pages < 0):
        moved += step.fetch(statements.DROP_SAID, *_losses(words))
    return {target for (target,) in moved}


def _losses(changes: CountChanges) -> list[NDArray[np.int64]]:
    return [column[changes.pages < 0] for column in changes.keys]


def _mark_moved(step: Step, targets: set[int]) -> None:
    if targets:
        step.execute(statements.MOVE, to_numbers(targets))


def _voters(urls: Sequence[str]) -> Digests:
    """Hashes who votes on each URL for itself."""
    return Digests.of(map(registrable_domain, urls))
