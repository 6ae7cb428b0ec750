"""Raises the best texts by proximity, by words in the exact form that was typed, and by their names."""

from collections.abc import Sequence, Set
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.index.query import Word, form_prefix
from engine.index.reader import LEAF, Documents, LeafArrays, Scores
from engine.index.schema import Ranking, idf
from engine.index.scoring.blocks import LISTS, Lists
from engine.index.scoring.bm25f import field_length
from engine.index.scoring.exact_match import (
    BODY_MARK,
    BODY_TEXT,
    LongerForms,
    add_exact_forms,
    add_longer_forms,
)
from engine.index.scoring.lookup import look_up_words
from engine.index.scoring.name_coverage import (
    NAME_WORDS,
    NameWords,
    add_heading_coverage,
    add_title_coverage,
    read_name_rows,
    weigh_name_words,
)
from engine.index.scoring.proximity import QUERY_WEIGHTS, QueryWeights, add_proximity, number_words
from engine.index.scoring.words import Words
from engine.kernels import BOOL, F32, I32, compiled, mutable, readonly, record_of, tuple_of
from engine.segment import POSITION_ARRAYS, PositionArrays


class Gain(NamedTuple):
    """What each of some documents gains, before its weight."""

    near: Scores
    forms: Scores
    titles: Scores
    headings: Scores


GAIN = record_of(Gain, near=mutable(F32), forms=mutable(F32), titles=mutable(F32), headings=mutable(F32))
"""Gain, for compiled functions."""


def compute_gains(
    words: Words, typed: Sequence[Word], low_weight: Set[Word], documents: Documents, ranking: Ranking
) -> Gain:
    """Computes what documents (ascending) gain by proximity and exact forms of the words typed, of which some
    have low weight, and by titles and headings that consist of them.
    """
    found, every = list(map(words, typed)), words.reader.documents
    rarities = np.array([idf(every, one.counts.in_body) for one in found], np.float32)
    query = QueryWeights(number_words(typed, low_weight), rarities, ranking.exact_form, ranking.k1)
    names = weigh_name_words(typed, low_weight, [one.factor / (ranking.k1 + 1) for one in found])
    gains = np.zeros((4, len(documents)), np.float32)
    for number, member, where, local in words.reader.split_by_segment(documents):
        leaf, lists, gain = member.leaf, words.pack_lists(number, found), Gain(*gains[:, where])
        scores, missing = _compute_gains(lists, leaf.arrays, leaf.position_arrays, local, query, names, gain)
        for word in missing.nonzero()[0]:
            if begins := form_prefix(found[word].form):
                of_segment = words.find_longer_forms(leaf, begins)
                share = ranking.prefix * rarities[word]
                longer = LongerForms(of_segment.documents, of_segment.scores, share)
                add_longer_forms(
                    leaf.arrays, words.norms, local, scores[word], longer, ranking.k1, gain.forms
                )
    return Gain(*gains)


@compiled(
    tuple_of(mutable(F32, 2), mutable(BOOL))(
        LISTS, LEAF, POSITION_ARRAYS, readonly(I32), QUERY_WEIGHTS, NAME_WORDS, GAIN
    )
)
def _compute_gains(
    lists: Lists,
    leaf: LeafArrays,
    position_arrays: PositionArrays,
    documents: Documents,
    query: QueryWeights,
    names: NameWords,
    gain: Gain,
) -> tuple[Scores, NDArray[np.bool_]]:
    """Adds what a segment's documents gain; returns their marked scores, and which words some have not in the
    body.

    The lists are those of the words, and of their forms behind them.
    """
    words = len(query.rarities)
    found, places = look_up_words(lists, leaf, documents)
    marks, missing = found.view(np.uint32), np.zeros(words, np.bool_)
    lengths = np.empty(len(documents), np.float32)
    for at in range(len(documents)):
        lengths[at] = field_length(leaf, BODY_TEXT, documents[at])
    for word in range(words):
        for at in range(len(documents)):
            missing[word] |= marks[word, at] & BODY_MARK == 0
    add_proximity(lists, position_arrays, places, marks, query, lengths, gain.near)
    rarities = query.rarities * query.exact
    add_exact_forms(leaf, lists.norms, documents, found[words:], rarities, query.k1, gain.forms)
    postings = read_name_rows(lists, leaf, documents, places, names)
    add_title_coverage(lists, leaf, postings, names, gain.titles)
    add_heading_coverage(lists, leaf, position_arrays, postings, names, gain.headings)
    return found[:words], missing
