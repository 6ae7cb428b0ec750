"""Raises the best texts by proximity, by words in the exact form that was typed, and by their names."""

from collections.abc import Sequence, Set

import numpy as np
from numpy.typing import NDArray

from engine.index.query import Word, form_prefix
from engine.index.reader import LEAF, Documents, LeafArrays, Scores
from engine.index.scoring.blocks import LISTS, Lists
from engine.index.scoring.bm25f import field_length
from engine.index.scoring.exact_match import (
    BODY_MARK,
    BODY_TEXT,
    LongerForms,
    add_exact_forms,
    add_longer_forms,
    occurrence_weight,
)
from engine.index.scoring.heading_coverage import add_heading_coverage
from engine.index.scoring.lookup import look_up_words
from engine.index.scoring.name_coverage import read_name_rows, weigh_name_words
from engine.index.scoring.proximity import QUERY_WEIGHTS, QueryWeights, add_proximity, number_words
from engine.index.scoring.title_coverage import add_title_coverage
from engine.index.scoring.words import Words
from engine.kernels import BOOL, F32, I32, compiled, mutable, readonly, tuple_of
from engine.ranking import (
    EXACT_FORM,
    HEADING_COVERAGE,
    PROXIMITY,
    RERANK_SIGNALS,
    TITLE_COVERAGE,
    Ranking,
    idf,
)
from engine.segment import POSITION_ARRAYS, PositionArrays


def compute_gains(
    words: Words, typed: Sequence[Word], low_weight: Set[Word], documents: Documents, ranking: Ranking
) -> Scores:
    """Computes what documents (ascending) gain by proximity and exact forms of the words typed, of which some
    have low weight, and by titles and headings that consist of them: (RERANK_SIGNALS, documents), before
    weights.
    """
    found, every = list(map(words, typed)), words.statistics.documents
    rarities = np.array([idf(every, one.counts.in_body) for one in found], np.float32)
    names = weigh_name_words(typed, low_weight, [one.factor / (ranking.k1 + 1) for one in found])
    query = QueryWeights(number_words(typed, low_weight), rarities, names, ranking.exact_form, ranking.k1)
    gains = np.empty((len(RERANK_SIGNALS), len(documents)), np.float32)
    for number, member, where, local in words.reader.split_by_segment(documents):
        leaf, lists = member.leaf, words.pack_lists(number, found)
        gain, scores, missing, occurrence_weights = _compute_gains(
            lists, leaf.arrays, leaf.position_arrays, local, query
        )
        for word in missing.nonzero()[0]:
            if begins := form_prefix(found[word].form):
                of_segment = words.find_longer_forms(leaf, begins)
                share = ranking.prefix * rarities[word]
                longer = LongerForms(of_segment.documents, of_segment.scores, share)
                add_longer_forms(
                    local, occurrence_weights, scores[word], longer, ranking.k1, gain[EXACT_FORM]
                )
        gains[:, where] = gain
    return gains


@compiled(
    tuple_of(mutable(F32, 2), mutable(F32, 2), mutable(BOOL), mutable(F32))(
        LISTS, LEAF, POSITION_ARRAYS, readonly(I32), QUERY_WEIGHTS
    )
)
def _compute_gains(
    lists: Lists,
    leaf: LeafArrays,
    position_arrays: PositionArrays,
    documents: Documents,
    query: QueryWeights,
) -> tuple[Scores, Scores, NDArray[np.bool_], Scores]:
    """Computes what a segment's documents gain (RERANK_SIGNALS, documents), their marked scores, which words
    some have not in the body, and what an occurrence counts in each body.

    The lists are those of the words, and of their forms behind them.
    """
    words = len(query.rarities)
    found, places = look_up_words(lists, leaf, documents)
    marks, missing = found.view(np.uint32), np.zeros(words, np.bool_)
    gains = np.zeros((len(RERANK_SIGNALS), len(documents)), np.float32)
    lengths, occurrence_weights = np.empty(len(documents), np.float32), np.empty(len(documents), np.float32)
    for at in range(len(documents)):
        lengths[at] = field_length(leaf, BODY_TEXT, documents[at])
        occurrence_weights[at] = occurrence_weight(lists.norms, lengths[at])
    for word in range(words):
        for at in range(len(documents)):
            missing[word] |= marks[word, at] & BODY_MARK == 0
    add_proximity(lists, position_arrays, places, marks, query, lengths, gains[PROXIMITY])
    rarities = query.rarities * query.exact
    add_exact_forms(leaf, documents, occurrence_weights, found[words:], rarities, query.k1, gains[EXACT_FORM])
    postings = read_name_rows(lists, leaf, documents, places, query.names)
    add_title_coverage(lists, leaf, position_arrays, postings, query.names, gains[TITLE_COVERAGE])
    add_heading_coverage(lists, leaf, position_arrays, postings, query.names, gains[HEADING_COVERAGE])
    return gains, found[:words], missing, occurrence_weights
