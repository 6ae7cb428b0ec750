"""Explains what a page has of a word: its terms, fields, frequencies and weight."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from engine.index.query import Word
from engine.index.reader import Leaf
from engine.index.schema import TEXT_FIELDS
from engine.index.scoring import SAME, Words, weigh_postings
from engine.ranking import Ranking


class TermExplanation(NamedTuple):
    """A term in one text of the page; `weight` is after the length of the text and the term's share."""

    term: str
    boost: float  # 1 for the word itself, less for one that is akin to it or a synonym
    field: str  # one of TEXT_FIELDS
    frequency: int
    length: int  # positions
    weight: float


class WordExplanation(NamedTuple):
    """A word and what the page scores by it: `idf` times a saturation of what its `terms` weigh together."""

    text: str  # as it was typed, a term where it is a part of that
    document_frequency: int  # that have it
    own_document_frequency: int  # of these, that have it not only in a menu or the like
    idf: float
    weight: float
    score: float
    terms: tuple[TermExplanation, ...]


def explain_word(words: Words, ranking: Ranking, word: Word, document: int) -> WordExplanation:
    """Explains what a document, as the snapshot numbers it, has of a word."""
    matches = words(word)
    one = np.array([document], np.int32)
    stands = tuple(_explain_terms(words, ranking, word, document))
    return WordExplanation(
        text=word.surface or min(word.terms, default=""),
        document_frequency=matches.counts.all,
        own_document_frequency=matches.counts.own,
        idf=matches.factor / (words.k1 + 1),
        weight=sum(stand.weight for stand in stands),
        score=float(words.score_words([word], one)[0, 0]),
        terms=stands,
    )


def _explain_terms(words: Words, ranking: Ranking, word: Word, document: int) -> Iterator[TermExplanation]:
    """Yields the word's terms in each text, the heaviest first."""
    for _, member, _, local in words.reader.split_by_segment(np.array([document], np.int32)):
        shares = dict.fromkeys(sorted(word.variants), ranking.variant) | dict.fromkeys(
            sorted(word.terms), 1.0
        )
        found = [
            stand
            for term, share in shares.items()
            for stand in _explain_term(words, member.leaf, term, share, int(local[0]))
        ]
        yield from sorted(found, key=lambda stand: -stand.weight)


def _explain_term(
    words: Words, leaf: Leaf, term: str, share: float, document: int
) -> Iterator[TermExplanation]:
    number = leaf.number(TEXT_FIELDS[0], term)
    if number < 0:
        return
    postings = leaf.postings(*leaf.dictionary.postings(number))
    at = int(postings.documents.searchsorted(document))
    if at == len(postings.documents) or postings.documents[at] != document:
        return
    row, weight = postings.rows[at : at + 1].astype(np.int32), np.empty(1, np.float32)
    for column in np.flatnonzero(leaf.rows[row[0]]).tolist():
        # The search's own weighing, with a ranking for which this text alone counts.
        alone = np.zeros_like(words.norms)
        alone[..., SAME] = 1
        alone[:, column] = words.norms[:, column]
        weigh_postings(leaf.arrays, alone, postings.documents[at : at + 1], row, weight)
        often, length = int(leaf.rows[row[0], column]), int(leaf.all_lengths[column, document])
        yield TermExplanation(term, share, TEXT_FIELDS[column], often, length, share * float(weight[0]))
