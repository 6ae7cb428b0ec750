"""Finds documents that have most, but not all, words of a query.

A document that misses a word loses as much as the word tells. What is left is compared with the scores of
those that have them all: one with the three rare words of four can come before one with all four in a menu.
"""

from collections.abc import Mapping
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from engine.index.query import AllOf, AndMaybe, AnyOf, Boost, MostOf, Query, Word
from engine.index.reader import Documents, ScoredDocuments, Scores
from engine.index.scoring import Best, Flagged, Words, count_marks
from engine.ranking import Ranking, idf

# Documents with most of the words, however many hits are asked for: page 2 goes on where 1 ended.
LOOKED_AT = 100


class QueryEvaluator(Protocol):
    """What evaluates the parts of such a query."""

    words: Words

    def __call__(self, query: Query, /) -> ScoredDocuments:
        """Evaluates a query: all documents that match."""

    def collect_top(self, query: Query, count: int, flagged: Flagged, only: Documents | None = None) -> Best:
        """Collects the documents that match best."""


def collect_most_of(
    evaluate: QueryEvaluator,
    ranking: Ranking,
    query: MostOf,
    count: int,
    flagged: Flagged,
    only: Documents | None,
) -> Best:
    """Finds the top `count` of those that match all parts (with `only`, of these), and `partial` of the
    others.

    The others are looked for among the LOOKED_AT that have most of the words, as any query of words finds
    them. `total` is how many match all, and those others.
    """
    best = evaluate.collect_top(require_all(query), count, flagged, only)
    any_ = AllOf((AnyOf(query.parts), *query.must), query.but, query.only)
    some = evaluate.collect_top(any_, LOOKED_AT, flagged, only)
    lost, has_all = compute_losses(evaluate, ranking, query, some.documents)
    scores: Scores = some.scores - sum(lost, np.zeros(len(some.documents), np.float32))
    left = np.flatnonzero((scores > 0) & ~has_all)
    left = left[np.argsort(-scores[left], kind="stable")[: ranking.partial_matches]]
    documents = np.concatenate((best.documents, some.documents[left]))
    order = np.argsort(documents)
    return Best(
        documents[order],
        np.concatenate((best.scores, scores[left]))[order],
        np.concatenate((best.own, some.own[left]))[order],
        best.total + len(left),
        best.exact,
        len(left),
    )


def require_all(query: MostOf) -> Query:
    """Makes a query of what matches all parts; a part that is a Boost makes it better."""
    needed = tuple(part for part in query.parts if not isinstance(part, Boost))
    asides = tuple(part for part in query.parts if isinstance(part, Boost))
    whole = AllOf((*needed, *query.must), query.but, query.only)
    return AndMaybe(whole, AnyOf(asides)) if asides else whole


def compute_losses(
    evaluate: QueryEvaluator, ranking: Ranking, query: MostOf, documents: Documents
) -> tuple[list[Scores], NDArray[np.bool_]]:
    """Computes what each of the documents loses by each part that it misses; and which have them all."""
    lost = []
    has_all = np.ones(len(documents), np.bool_)
    words = [inner for part in query.parts if isinstance(inner := _unwrap_boost(part), Word)]
    scores = dict(zip(words, evaluate.words.score_words(words, documents), strict=True)) if words else {}
    for part in query.parts:
        missing, tells = _find_missing(evaluate, _unwrap_boost(part), scores, documents)
        share = part.factor if isinstance(part, Boost) else 1.0
        lost.append(missing * np.float32(ranking.missing * (share * tells)))
        if not isinstance(part, Boost):
            has_all &= ~missing
    return lost, has_all


def _unwrap_boost(part: Query) -> Query:
    """Returns what is asked for, whatever it counts."""
    return part.part if isinstance(part, Boost) else part


def _find_missing(
    evaluate: QueryEvaluator, part: Query, of_words: Mapping[Word, Scores], documents: Documents
) -> tuple[NDArray[np.bool_], float]:
    """Finds the documents that miss a part, and what it tells; one that nobody has tells nothing.

    `of_words` is what the documents score by words.
    """
    if isinstance(part, Word):
        scores, counts = of_words[part], evaluate.words(part).counts
    else:
        found = evaluate(part)
        scores, counts = (
            found.scores_of(documents),
            evaluate.words.statistics.count_matches(part, count_marks(found.scores)),
        )
    holding = counts.own or counts.all
    return scores == 0, idf(evaluate.words.statistics.documents, holding) if holding else 0.0
