"""Searches the documents of a reader: those that match best, with their final scores, in order."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from functools import cached_property
from operator import neg
from typing import NamedTuple

import numpy as np

from engine.index.query import Query, collect_low_weight, collect_words
from engine.index.reader import Reader, Scores, merge_documents
from engine.index.schema import LEVELS, SIGNAL
from engine.index.scoring import (
    Best,
    BoostWeights,
    CollectionStatistics,
    Flagged,
    RerankGains,
    apply_boosts,
    compute_gains,
    rank_top,
    select_leaders,
)
from engine.index.searching.document_filter import DocumentFilter, accepted_by
from engine.index.searching.evaluate import Evaluator
from engine.model import Flag
from engine.ranking import Ranking

TIES = 1_000  # documents of one score whose URLs are compared; the next thousand comes after them


UrlsOf = Callable[[Sequence[int]], list[str]]
"""Looks up the URLs of documents, in the order given."""


class RankedDocument(NamedTuple):
    """A document that matched, at its place in the order."""

    score: float
    document: int


def rank_hits(best: Best, count: int, start: int, urls_of: UrlsOf) -> list[RankedDocument]:
    """Ranks the first `count` but those before `start`: best score first, then by URL (requirement 306)."""
    order, tied = rank_top(best.scores, count + 1, start)
    if tied:
        ranked = best.scores[order].tolist(), best.documents[order].tolist()
        return _break_ties(*ranked, range(start, count), urls_of)
    shown = order[start:count]
    return list(map(RankedDocument, best.scores[shown].tolist(), best.documents[shown].tolist()))


def _break_ties(
    scores: list[float], documents: list[int], wanted: range, urls_of: UrlsOf
) -> list[RankedDocument]:
    """Ranks those in the wanted places where some have the same score."""
    ranked: list[RankedDocument] = []
    at, end = wanted.start, min(wanted.stop, len(scores))
    while at < end:
        first, behind = (
            bisect_left(scores, -scores[at], key=neg),
            bisect_right(scores, -scores[at], key=neg),
        )
        first += (at - first) // TIES * TIES
        equal = documents[first : min(behind, first + TIES)]
        if len(equal) > 1:
            equal = [document for _, document in sorted(zip(urls_of(equal), equal, strict=True))]
        shown = equal[at - first : end - first]
        ranked += [RankedDocument(scores[at], document) for document in shown]
        at += len(shown)
    return ranked


class IndexSearcher:
    """Searches the documents of a reader by one ranking."""

    def __init__(self, reader: Reader, ranking: Ranking, statistics: CollectionStatistics) -> None:
        self.reader, self.ranking = reader, ranking
        self.evaluate = Evaluator(reader, ranking, statistics)

    @cached_property
    def flagged(self) -> Flagged:
        """The documents that rank after all others; looked up when it is asked for, as that takes compiled
        loops.
        """
        documents = merge_documents([self.reader.documents_with_term("flag", flag) for flag in Flag])
        return Flagged(documents, self.ranking.flagged)

    def find(self, query: Query, count: int = 0, only: DocumentFilter | None = None) -> Best:
        """Finds the documents (with `only`, of these) that match best, `count` at least, with their final
        scores.

        The very best texts gain by the words' forms and nearness, and by their titles and headings; inlinks
        then move the best `rescored`. Those add and never take, so none of the others belongs before them,
        and the order is the same whatever `count` is. Links to a page speak for what it says itself: they do
        not lift it for the words of its menu, nor a page that has nothing to say (requirement 85).
        """
        best = self.rank_by_text(query, count, only)
        boosted = self.apply_boosts(best, self.compute_gains(query, best), self.boost_weights)
        return best._replace(scores=sum(self.compute_signals(best).values(), boosted))

    def rank_by_text(self, query: Query, count: int = 0, only: DocumentFilter | None = None) -> Best:
        """Finds the same by their texts alone, before any boost."""
        enough = max(count, self.ranking.inlink_window, self.ranking.rerank_window + 1)
        return self.evaluate.collect_top(query, enough, self.flagged, accepted_by(only))

    def rank(self, best: Best, count: int, start: int = 0) -> list[RankedDocument]:
        """Ranks the first `count` but those before `start`: best score first, then by URL
        (requirement 306).
        """
        return rank_hits(best, count, start, self.reader.urls)

    def urls(self, documents: Sequence[int]) -> list[str]:
        """Looks up the documents' URLs, in the order given."""
        return self.reader.urls(documents)

    def compute_gains(self, query: Query, best: Best) -> RerankGains:
        """Computes what the best of these texts gain by proximity, exact forms and names."""
        leading = select_leaders(best.scores, self.ranking.rerank_window)
        texts = best.documents[leading]
        typed, low_weight = collect_words(query), collect_low_weight(query)
        return RerankGains(
            leading, compute_gains(self.evaluate.words, typed, low_weight, texts, self.ranking)
        )

    def apply_boosts(self, best: Best, gained: RerankGains, weights: BoostWeights) -> Scores:
        """Applies the boosts of signals and inlinks to the scores."""
        scores, flagged = best.scores, self.flagged.contains(best.documents)
        votes = self.look_up_votes(best)
        return apply_boosts(scores, best.own, flagged, gained, votes, weights)

    def look_up_votes(self, best: Best) -> Scores:
        """Looks up the votes that may move these scores."""
        return self.reader.votes(best.documents)

    def compute_signals(self, best: Best) -> dict[str, Scores]:
        """Computes what the best texts gain by each own signal: those that inlinks may move."""
        if not self.own_signals or not len(best.scores):
            return {}
        few = max(len(best.scores) - self.ranking.inlink_window, 0)
        able = best.own & (best.scores >= np.partition(best.scores, few)[few])
        able &= ~self.flagged.contains(best.documents)
        return {name: values[best.documents] * able for name, values in self.own_signals.items()}

    @cached_property
    def own_signals(self) -> dict[str, Scores]:
        """What each document gains by each own signal."""
        return {name: self._load_signal(name, weight) for name, weight in self.ranking.signals if weight}

    def _load_signal(self, name: str, weight: float) -> Scores:
        values = np.zeros(self.reader.size, np.float32)
        for level in range(1, LEVELS + 1):
            values[self.reader.documents_with_term(SIGNAL, f"{name} {level}")] = weight * level / LEVELS
        return values

    @cached_property
    def boost_weights(self) -> BoostWeights:
        """How much boosts count here."""
        return self.weigh_boosts(self.ranking)

    def weigh_boosts(self, ranking: Ranking) -> BoostWeights:
        """Weighs the boosts as a ranking does."""
        return BoostWeights(
            ranking.signal_weights,
            ranking.flagged,
            ranking.inlink_window,
            ranking.scale_inlinks(self.evaluate.words.statistics.documents),
        )
