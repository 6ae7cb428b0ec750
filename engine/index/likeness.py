"""Words as they were typed, in the best texts: what their very forms add to a score, and forms like them."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.compiled import BOOL, F32, I32, I64, Number, compiled, filled, given
from engine.index.forms import beginning, form_of
from engine.index.found import BODY, Found
from engine.index.lists import Documents, Scores
from engine.index.query import Word
from engine.index.reader import FIELD
from engine.index.scoring import Ranking, idf
from engine.index.words import Words
from engine.segment.loops import first_from

_BODY_MARK = int(BODY)


def likeness(
    words: Words,
    typed: Sequence[Word],
    found: Sequence[Found],
    documents: Documents,
    looked: Scores,
    ranking: Ranking,
) -> Scores:
    """For each of the documents (ascending) what forms add, as BM25 adds up words.

    A word is as rare as its stem. A beginning counts where the word itself is missing. For each word what it
    finds, and in a row of `looked` (words, documents) the marked scores.
    """
    gained, norms = np.zeros(len(documents), np.float32), words.norms(FIELD, documents)
    for at, word in enumerate(typed):
        if not (said := form_of(word.said)):
            continue
        rarity = idf(words.reader.documents, found[at].in_body)
        form, weight = words.form(said), ranking.exact * rarity
        missing = _add(
            form.documents, form.scores, documents, looked, at, False, norms, weight, ranking.k1, gained
        )
        if missing and (begins := beginning(said)):
            form, weight = words.beginning(begins), ranking.beginning * rarity
            _add(form.documents, form.scores, documents, looked, at, True, norms, weight, ranking.k1, gained)
    return gained


@compiled(
    BOOL(given(I32), given(F32), given(I32), given(F32, 2), I64, BOOL, given(F32), F32, F32, filled(F32))
)
def _add(
    having: Documents,
    amounts: Scores,
    documents: Documents,
    looked: Scores,
    word: Number,
    otherwise: bool,
    norms: Scores,
    weight: Number,
    k1: Number,
    gained: Scores,
) -> bool:
    """Add what it counts how often documents have a form, `otherwise` only where a word is not in the body;
    whether there are such documents.
    """
    marks: NDArray[np.uint32] = looked.view(np.uint32)
    place, size, missing = np.int64(0), np.int64(len(having)), False
    for at in range(len(documents)):
        is_missing = marks[word, at] & _BODY_MARK == 0
        missing |= is_missing
        if is_missing or not otherwise:
            place = first_from(having, documents[at], place)
            if place < size and having[place] == documents[at]:
                often = amounts[place] * norms[at]
                gained[at] += weight * (k1 + np.float32(1)) * often / (k1 + often)
    return missing
