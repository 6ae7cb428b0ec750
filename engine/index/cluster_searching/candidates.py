"""Searches the candidates of a query by our own evaluator: a few documents as a segment of their own."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.index.cluster_indexing import FetchedVector, find_parts, part_of_word, select_terms
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
from engine.index.reader import IndexCache, Leaf, Member, Reader, Scores
from engine.index.schema import FORMS, LAYOUT, TEXT_FIELDS
from engine.segment import BREAK, Terms, invert_entries, pack_segment, split_terms


class WantedTerms(NamedTuple):
    """What a query asks of a term vector: keys, beginnings of keys, and the parts that may have them."""

    keys: frozenset[bytes]
    beginnings: frozenset[bytes]
    parts: Sequence[int]


class CandidateReader(Reader):
    """Reads candidates, whose URLs are known: they have no stored fields."""

    def __init__(self, leaf: Leaf, urls: Sequence[str], votes: Scores) -> None:
        nothing = np.empty(0, np.int32)
        super().__init__([Member(leaf, "candidates", "candidates", 0, None, nothing)], votes, IndexCache())
        self._urls = urls

    def urls(self, documents: Sequence[int]) -> list[str]:
        """Looks up the documents' URLs, in the order given."""
        return [self._urls[document] for document in documents]


def open_candidates(
    urls: Sequence[str], votes: Scores, vectors: Sequence[FetchedVector], wanted: WantedTerms
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
    return CandidateReader(Leaf(octets), urls, votes)


def collect_terms(query: Query) -> WantedTerms:
    """Collects what the evaluator may ask candidates for: terms of words and their forms, longer forms of
    words, prefixes, keys that filters within it ask for, and what decides on any order.
    """
    keys, beginnings, parts = set[bytes](), set[bytes](), set[int]()
    beginnings |= {LAYOUT.group("flag"), LAYOUT.group("day")}
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
