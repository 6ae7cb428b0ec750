"""Words as they were typed, in the best texts: what their very forms add to a score, and forms like them."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.compiled import F32, I32, NONE, U16, U32, Number, compiled, filled, given
from engine.index.forms import beginning
from engine.index.found import BODY
from engine.index.lists import Documents, Scores, look_up
from engine.index.reader import FIELD
from engine.index.schema import TEXT_FIELDS
from engine.index.scoring import Ranking, idf
from engine.index.weighing import SAME, SLOPE, WEIGHT
from engine.index.words import Looked, Sought, Words

_BODY_MARK = int(BODY)
_BODY = TEXT_FIELDS.index(FIELD)


def likeness(words: Words, found: Sequence[Sought], looked: Looked, ranking: Ranking) -> Scores:
    """For each of some documents what forms add, as BM25 adds up words.

    A word is as rare as its stem. A beginning counts where the word itself is missing. For each word what it
    finds, and what the documents have of them.
    """
    gained = np.zeros(len(looked.documents), np.float32)
    amounts, marks = looked.scores[len(found) :], looked.scores.view(np.uint32)
    every, begun = words.reader.documents, np.zeros(amounts.shape, np.float32)
    rarities = np.array([idf(every, one.counts.in_body) if one.form else 0 for one in found], np.float32)
    for word, missing in enumerate((marks & _BODY_MARK == 0).any(axis=1)[: len(found)].tolist()):
        if missing and (begins := beginning(found[word].form)):
            of_word = words.begun(looked.leaf, begins)
            look_up(of_word.documents, of_word.scores, looked.documents, begun[word])
    lengths, norm = looked.leaf.lengths(FIELD), words.norms[0, _BODY]
    shares = np.array([ranking.exact, ranking.beginning], np.float32)
    _add(marks, looked.documents, lengths, norm, amounts, begun, rarities, shares, ranking.k1, gained)
    return gained


@compiled(
    NONE(
        *(given(U32, 2), given(I32), given(U16), given(F32)),
        *(given(F32, 2), given(F32, 2), given(F32), given(F32), F32, filled(F32)),
    )
)
def _add(
    marks: NDArray[np.uint32],
    documents: Documents,
    lengths: NDArray[np.uint16],
    norm: Scores,
    amounts: Scores,
    begun: Scores,
    rarities: Scores,
    shares: Scores,
    k1: Number,
    gained: Scores,
) -> None:
    """Add what it counts how often documents have forms, and longer ones where a word is not in the body."""
    for at in range(len(documents)):
        scale = norm[WEIGHT] / (norm[SAME] + norm[SLOPE] * np.float32(lengths[documents[at]]))
        for word in range(len(amounts)):
            often = amounts[word, at] * scale
            gained[at] += shares[0] * rarities[word] * (k1 + np.float32(1)) * often / (k1 + often)
            if marks[word, at] & _BODY_MARK == 0:
                often = begun[word, at] * scale
                gained[at] += shares[1] * rarities[word] * (k1 + np.float32(1)) * often / (k1 + often)
