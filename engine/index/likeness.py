"""Words as they were typed, in the best texts: what their very forms add to a score, and forms like them."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.index.forms import amounts, numbers
from engine.index.proximity import Holding
from engine.index.query import Word
from engine.index.reader import Reader
from engine.index.scoring import Ranking, idf, saturated


def likeness(
    reader: Reader,
    words: Sequence[Word],
    documents: NDArray[np.intp],
    norms: NDArray[np.float32],
    ranking: Ranking,
    holding: Holding,
) -> NDArray[np.float32]:
    """For each of the documents (numbers, ascending) what forms add, as BM25 adds up words.

    A word is as rare as its stem. A beginning counts where the word itself is missing. `norms` tells
    what one occurrence counts in each of the documents.
    """
    known = [(word, numbers(word.said)) for word in words if numbers(word.said)]
    sought = np.array([number for _, of_word in known for number in of_word], np.uint32)
    gained = np.zeros(len(documents), np.float32)
    if not len(sought) or not len(documents):
        return gained
    found = np.array([amounts(kept, sought) for kept in reader.forms(documents.tolist())], np.float32)
    counted = iter(saturated(found * norms[:, None], ranking.k1).T)
    for word, of_word in known:
        rarity = np.float32(idf(reader.documents, len(holding(word))))
        gained += np.float32(ranking.exact) * rarity * next(counted)
        if len(of_word) > 1:
            missing = np.isin(documents, holding(word), invert=True)
            gained += np.float32(ranking.beginning) * rarity * missing * next(counted)
    return gained
