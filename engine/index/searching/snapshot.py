"""Opens one moment of one generation for searching: documents, scores, inlinks."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cached_property
from operator import neg
from typing import NamedTuple

from engine.errors import DamagedError
from engine.generations import Generation
from engine.index.query import Query, collect_low_weight, collect_words
from engine.index.reader import (
    Documents,
    IndexCache,
    LinkGraphReader,
    LRUCache,
    Reader,
    Scores,
    check_commit,
    merge_documents,
)
from engine.index.scoring import (
    Best,
    BoostWeights,
    Flagged,
    RerankGains,
    apply_boosts,
    compute_gains,
    rank_top,
    select_leaders,
)
from engine.index.searching.evaluate import Evaluator
from engine.linkgraph import Cluster, Inlinks
from engine.model import Flag
from engine.ranking import Ranking
from engine.segment import folder

NO_INLINKS = Inlinks()
TIES = 1_000  # documents of one score whose URLs are compared; the next thousand comes after them


class RankedDocument(NamedTuple):
    """A document that matched, at its place in the order."""

    score: float
    document: int


class Snapshot:
    """One moment of one generation, open for searching; safe for several threads.

    Opening raises OSError, DamagedError, Whoosh's EmptyIndexError or sqlite3.OperationalError when files go
    meanwhile, and EngineError for an index that this Lycosa cannot read.
    """

    def __init__(self, generation: Generation, cache: IndexCache, ranking: Ranking) -> None:
        if not generation.is_readable and generation.path.exists():
            raise generation.unreadable()
        self.generation = generation
        self.ranking = ranking
        damage = cache.graphs.damage(generation.links)
        try:
            check_commit(generation)
        except DamagedError as error:
            if error.path != generation.links:
                raise
            damage = error
        self.reader = Reader(generation.path, cache)
        self.answers = LRUCache(cache.answers)  # none of them outlives it
        self._links = LinkGraphReader(generation.links, damage)
        self.evaluate = Evaluator(self.reader, ranking)
        flagged = merge_documents([self.reader.documents_with_term("flag", flag) for flag in Flag])
        self.flagged = Flagged(flagged, ranking.flagged)

    def close(self) -> None:
        """Closes the files."""
        self._links.close()

    @property
    def damaged(self) -> Sequence[DamagedError]:
        """What it answers without, as it is not what was written."""
        return [*self.reader.damaged, *self._links.damaged]

    def check(self) -> None:
        """Verifies the checksums of every segment. Raises DamagedError."""
        for damage in self.damaged:
            raise damage
        self.reader.check()

    def is_current(self, generation: Generation) -> bool:
        """Tells whether nothing was committed or published since, and no file was written to by others; costs
        one listing of the folder, and 2 microseconds a file.
        """
        newest = generation == self.generation and folder.latest_commit(generation.path) == self.reader.commit
        return newest and not self.reader.is_changed

    def find(self, query: Query, count: int = 0, only: Documents | None = None) -> Best:
        """Finds the documents (with `only`, of these) that match best, `count` at least, with their final
        scores.

        The very best texts gain by the words' forms and nearness, and by their titles and headings; inlinks
        then move the best `rescored`. Those add and never take, so none of the others belongs before them,
        and the order is the same whatever `count` is. Links to a page speak for what it says itself: they do
        not lift it for the words of its menu, nor a page that has nothing to say (requirement 85).
        """
        best = self.rank_by_text(query, count, only)
        return best._replace(
            scores=self.apply_boosts(best, self.compute_gains(query, best), self.boost_weights)
        )

    def rank_by_text(self, query: Query, count: int = 0, only: Documents | None = None) -> Best:
        """Finds the same by their texts alone, before any boost."""
        enough = max(count, self.ranking.inlink_window, self.ranking.rerank_window + 1)
        return self.evaluate.collect_top(query, enough, self.flagged, only)

    def inlinks(self, urls: Sequence[str]) -> dict[str, Inlinks]:
        """Looks up the inlinks of those of the URLs that have any."""
        return self._links.inlinks(urls, self.ranking.pivots)

    def count_linking_pages(self, urls: Sequence[str]) -> dict[str, int]:
        """Looks up how many pages link to those of the URLs that are known."""
        return self._links.count_linking_pages(urls)

    def numbers(self, urls: Sequence[str]) -> list[int]:
        """Looks up the URLs' numbers, as keys of the index have what pages link to."""
        return self._links.numbers(urls)

    def clusters(self, urls: Sequence[str]) -> dict[str, Cluster]:
        """Looks up the copies of those of the URLs that have any (requirement 59)."""
        return self._links.clusters(urls)

    def rank(self, best: Best, count: int, start: int = 0) -> list[RankedDocument]:
        """Ranks the first `count` but those before `start`: best score first, then by URL
        (requirement 306).
        """
        order, tied = rank_top(best.scores, count + 1, start)
        if tied:
            return self._break_ties(best.scores[order].tolist(), best.documents[order].tolist(), count, start)
        shown = order[start:count]
        return list(map(RankedDocument, best.scores[shown].tolist(), best.documents[shown].tolist()))

    def _break_ties(
        self, scores: list[float], documents: list[int], count: int, start: int
    ) -> list[RankedDocument]:
        """Ranks the same where some have the same score."""
        ranked: list[RankedDocument] = []
        at, end = start, min(count, len(scores))
        while at < end:
            first, behind = (
                bisect_left(scores, -scores[at], key=neg),
                bisect_right(scores, -scores[at], key=neg),
            )
            first += (at - first) // TIES * TIES
            equal = documents[first : min(behind, first + TIES)]
            if len(equal) > 1:
                equal = [document for _, document in sorted(zip(self.reader.urls(equal), equal, strict=True))]
            wanted = equal[at - first : end - first]
            ranked += [RankedDocument(scores[at], document) for document in wanted]
            at += len(wanted)
        return ranked

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
        votes = self.reader.votes(best.documents)
        return apply_boosts(scores, best.own, flagged, gained, votes, weights)

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
            ranking.scale_inlinks(self.reader.documents),
        )
