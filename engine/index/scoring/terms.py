"""Finds prefixes, words of one field, keys, and ranges of keys."""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from engine.index.query import Field, Prefix, Range
from engine.index.reader import (
    EXACT,
    OWN,
    Documents,
    Leaf,
    Member,
    Reader,
    ScoredDocuments,
    Scores,
    marks_of,
    set_marks,
)
from engine.index.schema import FORMS, REST, TEXT_FIELDS
from engine.index.scoring.bm25f import SAME
from engine.index.scoring.statistics import count_marks
from engine.index.scoring.words import Words, join_segments, weigh_postings

AT_ONCE = 1 << 20  # postings read at a time: some 60 MB
MAX_BEGUN = 128  # terms of a segment that begin alike, the commonest; the rest are mostly compounds of these


def match_prefix(words: Words, prefix: Prefix) -> ScoredDocuments:
    """Matches a prefix as a word with as many spellings as terms begin so, the commonest MAX_BEGUN.

    A stem may be shorter than what was typed: who has such a word as it is typed has it once.
    """
    documents, frequencies = [], []
    for member in words.reader.members:
        leaf = member.leaf
        sums, marks = np.zeros(leaf.size, np.float32), np.zeros(leaf.size, np.uint32)
        for terms in _most_frequent_terms(leaf, leaf.numbers_with_prefix(TEXT_FIELDS[0], prefix.beginning)):
            postings, _ = leaf.postings_of_terms(terms)
            weights = _weigh(leaf, words.norms, postings.documents, postings.rows)
            sums += np.bincount(postings.documents, set_marks(weights, np.uint32(0)), leaf.size).astype(
                np.float32
            )
            np.bitwise_or.at(marks, postings.documents, marks_of(weights))
        for terms in _most_frequent_terms(leaf, leaf.numbers_with_prefix(FORMS, prefix.beginning)):
            typed = leaf.postings_of_terms(terms)[0].documents
            typed = typed[sums[typed] == 0]
            sums[typed], marks[typed] = 1, OWN | EXACT
        found = _drop_deleted(member, sums > 0)
        documents.append(found + np.int32(member.base))
        frequencies.append(set_marks(sums[found], marks[found]))
    return _score_documents(
        words, prefix, join_segments(documents, np.int32), join_segments(frequencies, np.float32)
    )


def is_prefix_too_frequent(reader: Reader, prefix: Prefix) -> bool:
    """Tells whether more terms begin so than are looked for."""
    return any(
        len(one.leaf.numbers_with_prefix(TEXT_FIELDS[0], prefix.beginning)) > MAX_BEGUN
        for one in reader.members
    )


def match_field(words: Words, field: Field) -> ScoredDocuments:
    """Matches a term in one field, scored as a word by that text alone; keys make no difference."""
    if field.name not in TEXT_FIELDS:
        return score_constant(words.reader.documents_with_term(field.name, field.term))
    column = TEXT_FIELDS.index(field.name)
    mark = np.uint32(0) if field.name == REST else OWN | EXACT
    norms = np.zeros_like(words.norms)
    norms[..., SAME] = 1
    norms[:, column] = words.norms[:, column]
    documents, frequencies = [], []
    for member in words.reader.members:
        leaf = member.leaf
        number = leaf.number(field.name, field.term)
        postings, _ = leaf.postings_of_terms(range(number, number + (number >= 0)))
        there = leaf.rows[postings.rows, column] > 0
        if member.alive is not None:
            there &= member.alive[postings.documents]
        local = postings.documents[there]
        weights = _weigh(leaf, norms, local, postings.rows[there])
        documents.append(local + np.int32(member.base))
        frequencies.append(set_marks(weights, mark))
    return _score_documents(
        words, field, join_segments(documents, np.int32), join_segments(frequencies, np.float32)
    )


def match_range(words: Words, keys: Range) -> ScoredDocuments:
    """Matches documents with a key from the first to the last, in the order of octets; all are alike."""
    documents = []
    for member in words.reader.members:
        leaf = member.leaf
        first, last = (leaf.layout.key(keys.key, term) for term in (keys.first, keys.last))
        there = np.zeros(leaf.size, np.bool_)
        for terms in _split_terms(
            leaf, range(leaf.dictionary.find_at_least(first), leaf.dictionary.find_at_least(last + b"\0"))
        ):
            there[leaf.postings_of_terms(terms)[0].documents] = True
        documents.append(_drop_deleted(member, there) + np.int32(member.base))
    return score_constant(join_segments(documents, np.int32))


def match_all(words: Words) -> ScoredDocuments:
    """Matches all documents."""
    members = words.reader.members
    found = [_drop_deleted(one, np.ones(one.leaf.size, np.bool_)) + np.int32(one.base) for one in members]
    return score_constant(join_segments(found, np.int32))


def score_constant(documents: Documents) -> ScoredDocuments:
    """Gives each document a score of 1: none is better than another."""
    scores: Scores = set_marks(np.ones(len(documents), np.float32), OWN | EXACT)
    return ScoredDocuments(documents, scores)


def _score_documents(
    words: Words, query: Prefix | Field, documents: Documents, weights: Scores
) -> ScoredDocuments:
    """Scores documents of the snapshot by their marked weights."""
    counts = words.statistics.count_matches(query, count_marks(weights))
    scores = np.float32(words.idf_factor(counts)) * weights / (np.float32(words.k1) + weights)
    return ScoredDocuments(documents, set_marks(scores, marks_of(weights)))


def _weigh(leaf: Leaf, norms: Scores, documents: Documents, rows: NDArray[np.int64]) -> Scores:
    """Weighs postings, with marks."""
    found = np.empty(len(documents), np.float32)
    weigh_postings(leaf.arrays, norms, documents, rows.astype(np.int32), found)
    return found


def _drop_deleted(member: Member, there: NDArray[np.bool_]) -> Documents:
    return np.flatnonzero(there if member.alive is None else there & member.alive).astype(np.int32)


def _most_frequent_terms(leaf: Leaf, terms: range) -> Iterator[range]:
    """Yields the MAX_BEGUN terms that most documents have, some AT_ONCE postings of them at a time."""
    if len(terms) <= MAX_BEGUN:
        yield from _split_terms(leaf, terms)
        return
    counts = leaf.dictionary.counts(terms.start, terms.stop)
    chosen = np.sort(np.argpartition(-counts, MAX_BEGUN - 1)[:MAX_BEGUN]) + terms.start
    for run in np.split(chosen, np.flatnonzero(np.diff(chosen) > 1) + 1):
        yield from _split_terms(leaf, range(int(run[0]), int(run[-1]) + 1))


def _split_terms(leaf: Leaf, terms: range) -> Iterator[range]:
    """Splits terms into runs of some AT_ONCE postings."""
    if not terms:
        return
    ends = np.cumsum(leaf.dictionary.counts(terms.start, terms.stop))
    cuts = np.flatnonzero(np.diff(ends // AT_ONCE)) + 1
    bounds = [0, *cuts.tolist(), len(terms)]
    for start, end in pairwise(bounds):
        yield terms[start:end]
