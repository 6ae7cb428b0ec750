"""Query words that stand close together in a text: what that adds to its score.

A pair of words that were typed one after the other counts each time it stands within REACH, less
the farther apart, and saturates as BM25 does (after Büttcher, Clarke and Lushman, "Term Proximity
Scoring for Ad-Hoc Retrieval on Very Large Text Collections", SIGIR 2006).
"""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from engine.index.found import are_in_body
from engine.index.lists import Documents, Scores
from engine.index.phrases import BODY_ONLY, MASK, POSITION, places
from engine.index.query import Word
from engine.index.scoring import idf, saturated
from engine.index.words import Looked, Words
from engine.segment.segment import Places
from engine.text.alphabet import SPACELESS

REACH = 8  # words; farther apart they say no more together than each says alone
SATURATION = 1.0  # pairs side by side at which half of what there is to gain is gained
_GRAM = re.compile(f"[{SPACELESS}]{{1,2}}")


def closeness(words: Words, typed: Sequence[Word], documents: Documents, scores: Looked) -> Scores:
    """For each of the documents (ascending) what the words' nearness adds, before its weight."""
    pairs = [pair for pair in pairwise(typed) if _tells(*pair)]
    wanted: dict[Word, NDArray[np.bool_]] = {}
    for one, other in pairs:
        both = are_in_body(scores[one]) & are_in_body(scores[other])
        for word in (one, other):
            wanted[word] = wanted[word] | both if word in wanted else both
    if not any(map(np.count_nonzero, wanted.values())):
        return np.zeros(len(documents), np.float32)
    stand = _stand(words, documents, wanted)
    near = _nearness([stand[one] for one, _ in pairs], [stand[other] for _, other in pairs], len(documents))
    many = {word: words(word).in_body for word in wanted}
    rarity = [idf(words.reader.documents, max(many[one], many[other])) for one, other in pairs]
    gained: Scores = np.array(rarity, np.float32) @ saturated(near, SATURATION)
    return gained


def _tells(one: Word, other: Word) -> bool:
    """Whether nearness is news: overlapping pairs of letters always stand as they were typed."""
    if not one.terms.isdisjoint(other.terms):
        return False
    return not all(any(map(_GRAM.fullmatch, word.terms)) for word in (one, other))


def _stand(
    words: Words, documents: Documents, wanted: Mapping[Word, NDArray[np.bool_]]
) -> dict[Word, Places]:
    """For each word where it stands in those of the documents that are wanted of it."""
    found: dict[Word, list[Places]] = {word: [] for word in wanted}
    for member, where, local in words.reader.parts(documents):
        numbers = [of[where].nonzero()[0] for of in wanted.values()]
        asked = [(word, local[of]) for word, of in zip(wanted, numbers, strict=True)]
        for (word, _), of, some in zip(asked, numbers, places(words, member, asked, BODY_ONLY), strict=True):
            found[word].append((((of + where.start) << POSITION)[some >> POSITION]) | (some & MASK))
    return {word: of[0] if len(of) == 1 else np.concatenate(of) for word, of in found.items()}


def _nearness(ones: Sequence[Places], others: Sequence[Places], documents: int) -> Scores:
    """For each pair and document 1 / distance squared, over each place of one and the other's next to it."""
    one, other = _of_pairs(ones, documents), _of_pairs(others, documents)
    near = np.zeros(len(ones) * documents)
    if len(one) and len(other):
        at = other.searchsorted(one)
        for distance in (other.take(at, mode="clip") - one, one - other.take(at - 1, mode="clip")):
            close = np.flatnonzero((distance <= REACH) & (distance > 0))
            near += np.bincount(one[close] >> POSITION, 1 / distance[close] ** 2, len(near))
    return near.astype(np.float32).reshape(len(ones), documents)


def _of_pairs(found: Sequence[Places], documents: int) -> Places:
    """As if each pair had documents of its own."""
    return np.concatenate([some + (at * documents << POSITION) for at, some in enumerate(found)])
