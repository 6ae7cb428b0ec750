"""Raises the best texts by proximity and by words in the exact form that was typed."""

from collections.abc import Sequence, Set
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.compiled import BOOL, F32, I32, I64, Number, compiled, filled, given, several
from engine.index.query import Word, form_prefix
from engine.index.reader import Documents, Scores
from engine.index.schema import Ranking, idf
from engine.index.scoring.blocks import LISTS
from engine.index.scoring.bm25f import LEAF, NORMS, field_length
from engine.index.scoring.exact_match import BODY_MARK, BODY_TEXT, add_exact_forms, add_longer_forms
from engine.index.scoring.lookup import look_up_words
from engine.index.scoring.proximity import QueryPositions, add_proximity, number_words
from engine.index.scoring.words import Words
from engine.segment import PLACED


class Gain(NamedTuple):
    """What each of some documents gains, before its weight."""

    near: Scores
    forms: Scores


def compute_gains(
    words: Words, typed: Sequence[Word], low_weight: Set[Word], documents: Documents, ranking: Ranking
) -> Gain:
    """Computes what documents (ascending) gain by proximity and exact forms of the words typed, of which some
    have low weight.
    """
    found, every = list(map(words, typed)), words.reader.documents
    rarities = np.array([idf(every, one.counts.in_body) for one in found], np.float32)
    query_positions, (near, forms) = (
        number_words(typed, low_weight),
        np.zeros((2, len(documents)), np.float32),
    )
    for number, member, where, local in words.reader.split_by_segment(documents):
        lists, leaf = words.pack_lists(number, found), member.leaf
        given_, filled_ = (
            (local, query_positions, rarities, ranking.exact_form, ranking.k1),
            (near[where], forms[where]),
        )
        scores, missing = _compute_gains(lists, leaf.arrays, leaf.placed, words.norms, *given_, *filled_)
        for word in np.flatnonzero(missing):
            if begins := form_prefix(found[word].form):
                longer, share = words.find_longer_forms(leaf, begins), ranking.prefix * rarities[word]
                of_word = longer.documents, longer.scores, share, ranking.k1
                add_longer_forms(leaf.arrays, words.norms, local, scores[word], *of_word, forms[where])
    return Gain(near, forms)


@compiled(
    several(filled(F32, 2), filled(BOOL))(
        *(LISTS, LEAF, PLACED, NORMS, given(I32), filled(I64), given(F32), F32, F32, filled(F32), filled(F32))
    )
)
def _compute_gains(
    lists: tuple[Any, ...],
    leaf: tuple[NDArray[Any], ...],
    placed: tuple[NDArray[Any], ...],
    norms: Scores,
    documents: Documents,
    query_positions: QueryPositions,
    rarities: Scores,
    exact: Number,
    k1: Number,
    near: Scores,
    forms: Scores,
) -> tuple[Scores, NDArray[np.bool_]]:
    """Adds what a segment's documents gain; returns their marked scores, and which words some have not in the
    body.

    The lists are those of the words, and of their forms behind them.
    """
    words = len(rarities)
    found, places = look_up_words(lists, leaf, norms, documents)
    marks, missing = found.view(np.uint32), np.zeros(words, np.bool_)
    lengths = np.empty(len(documents), np.float32)
    for at in range(len(documents)):
        lengths[at] = field_length(leaf, BODY_TEXT, documents[at])
    for word in range(words):
        for at in range(len(documents)):
            missing[word] |= marks[word, at] & BODY_MARK == 0
    add_proximity(lists, placed, places, marks, query_positions, rarities, lengths, near)
    add_exact_forms(leaf, norms, documents, found[words:], rarities * exact, k1, forms)
    return found[:words], missing
