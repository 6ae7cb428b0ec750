"""One moment of one generation, open for searching: documents, scores, inlinks."""

from collections.abc import Sequence
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from whoosh import index as whoosh_index

from engine.index.evaluate import Evaluator, Matches
from engine.index.generations import Generation
from engine.index.likeness import likeness
from engine.index.proximity import FIELD, closeness, holding_of
from engine.index.query import Query, words
from engine.index.reader import Cache, Reader
from engine.index.schema import schema
from engine.index.scoring import Ranking, inlink_score
from engine.page import Flag
from engine.store.clusters import Cluster, Clusters
from engine.store.links import Inlinks, LinkGraph

NO_INLINKS = Inlinks()
_WHOOSH: Any = whoosh_index  # half of its functions are not annotated


class Ranked(NamedTuple):
    """A document that matched, at its place in the order."""

    score: float
    url: str
    document: int


class Snapshot:
    """Safe for several threads.

    Opening raises OSError, Whoosh's EmptyIndexError or sqlite3.OperationalError when files go meanwhile.
    """

    def __init__(self, generation: Generation, cache: Cache, ranking: Ranking) -> None:
        self.generation = generation
        self._index = _WHOOSH.open_dir(str(generation.path), schema=schema())
        self._commit: int = self._index.latest_generation()
        self._ranking = ranking
        self._graph = LinkGraph(generation.links)
        self._clusters = Clusters(generation.links)
        self._graph_lock = Lock()
        self.reader = Reader(self._index.reader(), cache)
        self.evaluate = Evaluator(self.reader, ranking)
        self._flagged = self._flags()

    def close(self) -> None:
        """Give the files back."""
        self.reader.close()
        self._graph.close()
        self._clusters.close()

    def is_current(self, generation: Generation) -> bool:
        """Nothing was committed or published since; costs one listing of the folder."""
        return generation == self.generation and self._index.latest_generation() == self._commit

    def find(self, query: Query) -> Matches:
        """The documents that match, the best texts scored by the words' forms and nearness, too."""
        matches = self.evaluate(query)
        typed, ranking = words(query), self._ranking
        best = self._best(matches.scores)
        scores = matches.scores.copy()
        holding = holding_of(self.reader)
        scores[best] += np.float32(ranking.proximity) * closeness(self.reader, typed, best, holding)
        norms = self.evaluate.norms[FIELD][best]
        scores[best] += likeness(self.reader, typed, best, norms, ranking, holding)
        return matches._replace(scores=scores)

    def inlinks(self, urls: Sequence[str]) -> dict[str, Inlinks]:
        """Inlinks of those of the URLs that have any."""
        with self._graph_lock:
            return self._graph.inlinks(urls, self._ranking.half_vote)

    def clusters(self, urls: Sequence[str]) -> dict[str, Cluster]:
        """The copies of those of the URLs that have any (requirement 59)."""
        with self._graph_lock:
            return self._clusters.of(urls)

    def ranked(self, matches: Matches, count: int) -> list[Ranked]:
        """The first `count` matches: best score first, then by URL (requirement 306).

        The inlink weight moves only the best texts. It adds and never takes, so none of the
        others belongs before them, and the order is the same whatever `count` is. What has nothing
        to say stays behind, whoever links to it (requirement 85). Links to a page speak for what it
        says itself: they do not lift it for the words of its menu.
        """
        rescored = self._ranking.rescored
        order = self._by_text(matches, max(count, rescored))
        inlinks = self.inlinks([hit.url for hit in order[:rescored] if not self._flagged[hit.document]])
        best = [
            hit._replace(
                score=hit.score + inlink_score(inlinks.get(hit.url, NO_INLINKS).votes, self._ranking)
            )
            if matches.own[hit.document]
            else hit
            for hit in order[:rescored]
        ]
        return [*sorted(best, key=_place), *order[rescored:]][:count]

    def _best(self, scores: NDArray[np.float32]) -> NDArray[np.intp]:
        """The documents, at most `best_texts`, that score better than all others; equal ones all or none."""
        count = self._ranking.best_texts
        least = np.partition(scores, -count - 1)[-count - 1] if len(scores) > count else np.float32(0)
        return np.flatnonzero(scores > least)

    def _by_text(self, matches: Matches, count: int) -> list[Ranked]:
        documents = np.flatnonzero(matches.found)
        scores = matches.scores[documents]
        scores[self._flagged[documents]] *= np.float32(self._ranking.flagged)
        if len(documents) > count:
            last = np.partition(scores, -count)[-count]
            documents, scores = documents[scores >= last], scores[scores >= last]  # ties at the edge included
        urls = self.reader.urls(documents.tolist())
        order = [Ranked(*hit) for hit in zip(scores.tolist(), urls, documents.tolist(), strict=True)]
        return sorted(order, key=_place)[:count]

    def _flags(self) -> NDArray[np.bool_]:
        """For each document number: has it nothing to say."""
        flagged = np.zeros(self.reader.size, np.bool_)
        for flag in Flag:
            flagged[self.reader.postings("flag", flag).documents] = True
        return flagged


def _place(hit: Ranked) -> tuple[float, str]:
    return -hit.score, hit.url
