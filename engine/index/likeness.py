"""Words as they were typed, in the best texts: what their very forms add to a score, and forms like them."""

from collections.abc import Sequence

import numpy as np

from engine.index.forms import beginning, form_of
from engine.index.found import are_in_body
from engine.index.lists import Documents, Scores
from engine.index.query import Word
from engine.index.reader import FIELD
from engine.index.scoring import Ranking, idf, saturated
from engine.index.words import Looked, Words


def likeness(
    words: Words, typed: Sequence[Word], documents: Documents, scores: Looked, ranking: Ranking
) -> Scores:
    """For each of the documents (ascending) what forms add, as BM25 adds up words.

    A word is as rare as its stem. A beginning counts where the word itself is missing.
    """
    often, weights = [], []
    for word in typed:
        if not (said := form_of(word.said)):
            continue
        rarity = idf(words.reader.documents, words(word).in_body)
        often.append(words.form(said).at(documents))
        weights.append(ranking.exact * rarity)
        there = are_in_body(scores[word])
        if (begins := beginning(said)) and not there.all():
            often.append(words.beginning(begins).at(documents) * ~there)
            weights.append(ranking.beginning * rarity)
    if not often:
        return np.zeros(len(documents), np.float32)
    counted = saturated(np.array(often) * words.norms(FIELD, documents), ranking.k1)
    gained: Scores = np.array(weights, np.float32) @ counted
    return gained
