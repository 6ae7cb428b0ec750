"""Searches the candidates of a query by our own evaluator: a few documents as a segment of their own."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.index.cluster_form import FetchedVector, find_parts, part_of_word, select_terms
from engine.index.query import (
    AllOf,
    Field,
    MostOf,
    Prefix,
    Query,
    Range,
    Word,
    form_of,
    form_prefix,
    walk,
)
from engine.index.reader import Documents, IndexCache, Leaf, Member, Reader, Scores
from engine.index.schema import FORMS, LAYOUT, SIGNAL, TEXT_FIELDS
from engine.index.scoring import Best
from engine.index.searching import IndexSearcher
from engine.segment import BREAK, Terms, invert_entries, pack_segment, split_terms

LookUp = Callable[[Sequence[str]], Mapping[str, float]]
"""Adds up the votes for those of the URLs that have any."""


class WantedTerms(NamedTuple):
    """What a query asks of a term vector: keys, beginnings of keys, and the parts that may have them."""

    keys: frozenset[bytes]
    beginnings: frozenset[bytes]
    parts: Sequence[int]


class CandidateReader(Reader):
    """Reads candidates, whose URLs are known: they have no stored fields."""

    def __init__(self, leaf: Leaf, urls: Sequence[str], look_up: LookUp) -> None:
        """`look_up` tells the votes for URLs."""
        nothing, unknown = np.empty(0, np.int32), np.full(len(urls), np.nan, np.float32)
        super().__init__([Member(leaf, "candidates", "candidates", 0, None, nothing)], unknown, IndexCache())
        self._urls, self._look_up = urls, look_up

    def votes(self, documents: Documents) -> Scores:
        """Looks up the votes of the inlinks of each of the documents, once."""
        if new := documents[np.isnan(self._votes[documents])].tolist():
            votes = self._look_up(self.urls(new))
            self._votes[new] = [votes.get(url, 0.0) for url in self.urls(new)]
        return super().votes(documents)

    def urls(self, documents: Sequence[int]) -> list[str]:
        """Looks up the documents' URLs, in the order given."""
        return [self._urls[document] for document in documents]


class CandidateSearcher(IndexSearcher):
    """Searches candidates; votes are looked up of those alone whose scores they may move: they cost most."""

    def look_up_votes(self, best: Best) -> Scores:
        """Looks up the votes that may move these scores."""
        few = max(len(best.scores) - self.ranking.inlink_window, 0)
        able = (
            best.own & (best.scores >= np.partition(best.scores, few)[few]) if len(best.scores) else best.own
        )
        found = np.zeros(len(best.scores), np.float32)
        found[able] = self.reader.votes(best.documents[able])
        return found


def open_candidates(
    urls: Sequence[str], look_up: LookUp, vectors: Sequence[FetchedVector], wanted: WantedTerms
) -> CandidateReader:
    """Makes a reader of candidates, with the terms that the query asks for. Raises zstandard.ZstdError
    where a vector is damaged.
    """
    selected = select_terms(vectors, wanted.keys, wanted.beginnings)

    def encode(used: NDArray[np.int64]) -> Terms:
        return split_terms(b"".join(selected.keys[at] + BREAK for at in used.tolist()), len(used))

    made = invert_entries(LAYOUT, len(selected.keys), encode, selected.entries)
    lengths = dict(zip(TEXT_FIELDS, selected.lengths.T, strict=True))
    octets = pack_segment(LAYOUT, made.rows, made.run, lengths, selected.heading_ends)
    return CandidateReader(Leaf(octets), urls, look_up)


def collect_terms(query: Query) -> WantedTerms:
    """Collects what the evaluator may ask candidates for: terms of words and their forms, longer forms of
    words, prefixes, keys that filters within it ask for, and what decides on any order.
    """
    keys, beginnings, parts = set[bytes](), set[bytes](), set[int]()
    beginnings |= {LAYOUT.group("flag"), LAYOUT.group("day"), LAYOUT.group(SIGNAL)}
    for node in _walk_all(query):
        if isinstance(node, Range):
            beginnings.add(LAYOUT.group(node.key))
        if isinstance(node, Word):
            asked = [(TEXT_FIELDS[0], term) for term in node.terms | node.variants]
            if form := form_of(node.surface):
                asked.append((FORMS, form))
                longer = form_prefix(form)  # lies in the part of the form
                beginnings |= {LAYOUT.key(FORMS, longer)} if longer else set()
        elif isinstance(node, Field):
            asked = [(node.name, node.term)]
        else:
            asked = []
        keys.update(LAYOUT.key(field, term) for field, term in asked)
        parts.update(part_of_word(term) for _, term in asked)
        if isinstance(node, Prefix):
            beginnings |= {LAYOUT.key(field, node.beginning) for field in (TEXT_FIELDS[0], FORMS)}
            parts.update(find_parts(node.beginning))
    return WantedTerms(frozenset(keys), frozenset(beginnings), sorted(parts))


def strip_filters(query: Query) -> Query:
    """Leaves out what candidates have passed already: the filters of the whole query."""
    return replace(query, but=(), only=()) if isinstance(query, AllOf | MostOf) else query


def _walk_all(query: Query) -> Sequence[Query]:
    """Lists all nodes of a query, those too of filters within it."""
    nodes = list(walk(query))
    inner = [one for node in nodes if isinstance(node, AllOf | MostOf) for one in (*node.only, *node.but)]
    return [*nodes, *(node for one in inner for node in _walk_all(one))]
