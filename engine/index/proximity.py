"""Query words that stand close together in a text: what that adds to its score.

A pair of words that were typed one after the other counts each time it stands within REACH, less
the farther apart, and saturates as BM25 does (after Büttcher, Clarke and Lushman, "Term Proximity
Scoring for Ad-Hoc Retrieval on Very Large Text Collections", SIGIR 2006).
"""

import re
from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from engine.index.query import Word
from engine.index.reader import Reader
from engine.index.scoring import idf, saturated
from engine.text.alphabet import SPACELESS

FIELD = "body"  # titles and anchor texts are short: what stands there stands together
REACH = 8  # words; farther apart they say no more together than each says alone
SATURATION = 1.0  # pairs side by side at which half of what there is to gain is gained
_GRAM = re.compile(f"[{SPACELESS}]{{1,2}}")

Places = NDArray[np.int64]
"""Document number << 32 | position, ascending."""

Holding = Callable[[Word], NDArray[np.int32]]
"""The documents that have a word in the field."""


def holding_of(reader: Reader) -> Holding:
    """Looks each word of one query up once, whoever asks."""
    return cache(lambda word: reader.holding(FIELD, word.terms | word.akin))


def closeness(
    reader: Reader, words: Sequence[Word], documents: NDArray[np.intp], holding: Holding
) -> NDArray[np.float32]:
    """For each of the documents (numbers, ascending) what the words' nearness adds, before its weight."""
    gained = np.zeros(len(documents), np.float32)
    pairs = [pair for pair in pairwise(words) if _tells(*pair)]
    both = [_shared(documents, holding(one), holding(other)) for one, other in pairs]
    paired = {word for pair in pairs for word in pair}
    places = {word: _places(reader, word, _wanted(word, pairs, both)) for word in paired}
    for one, other in pairs:
        near = _nearness(places[one], places[other], documents)
        rarity = idf(reader.documents, max(len(holding(one)), len(holding(other))))
        gained += np.float32(rarity) * saturated(near, SATURATION)
    return gained


def _tells(one: Word, other: Word) -> bool:
    """Whether nearness is news: overlapping pairs of letters always stand as they were typed."""
    grams = all(any(map(_GRAM.fullmatch, word.terms)) for word in (one, other))
    return not grams and one.terms.isdisjoint(other.terms)


def _shared(documents: NDArray[np.intp], *holding: NDArray[np.int32]) -> NDArray[np.intp]:
    for some in holding:
        documents = np.intersect1d(documents, some, assume_unique=True)
    return documents


def _wanted(
    word: Word, pairs: Sequence[tuple[Word, Word]], both: Sequence[NDArray[np.intp]]
) -> NDArray[np.intp]:
    """The documents that hold the word and one that it was typed beside."""
    of_pairs = [documents for pair, documents in zip(pairs, both, strict=True) if word in pair]
    return of_pairs[0] if len(of_pairs) == 1 else np.unique(np.concatenate(of_pairs))


def _places(reader: Reader, word: Word, documents: NDArray[np.intp]) -> Places:
    found = [
        np.array(positions, np.int64) + (document << 32)
        for term in sorted(word.terms | word.akin)
        for document, positions in reader.positions(FIELD, term, documents.tolist()).items()
    ]
    if not found:
        return np.empty(0, np.int64)
    return np.unique(np.concatenate(found))


def _nearness(ones: Places, others: Places, documents: NDArray[np.intp]) -> NDArray[np.float32]:
    """For each document 1 / distance squared, over each place of one word and the other's next to it."""
    near = np.zeros(len(documents), np.float32)
    if not len(ones) or not len(others):
        return near
    following = np.searchsorted(others, ones)
    for neighbours in (following, following - 1):
        there = (neighbours >= 0) & (neighbours < len(others))
        distance = np.abs(others[neighbours[there]] - ones[there])
        close = (distance > 0) & (distance <= REACH)
        at = np.searchsorted(documents, ones[there][close] >> 32)
        near += np.bincount(at, 1 / distance[close] ** 2, len(documents)).astype(np.float32)
    return near
