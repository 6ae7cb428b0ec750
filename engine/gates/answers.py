"""Compares the answers of two generations: their quality and their speed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean, median

from engine.gates.rules import AnswerFigures
from engine.index.searching import OpenIndex
from engine.ranking import Ranking
from engine.relevance import NDCG_DEPTH, ndcg, read_judged_queries
from engine.search import answer_query
from engine.suggest import Synonyms, synonyms

TIMED = 100  # queries: enough for a median, and both generations are through within seconds
DRAWN_WORDS = 3  # of a title: as people type

JudgedQueries = Mapping[str, Mapping[str, int]]  # query -> grades by URL


@dataclass(frozen=True, slots=True)
class AnswerTest:
    """A test of a generation's answers, with the operator's ranking and synonyms."""

    judged: JudgedQueries = field(default_factory=dict)
    ranking: Ranking = Ranking()
    synonyms: Synonyms = synonyms.NONE

    def find_first(self, index: OpenIndex, typed: str) -> list[str]:
        """Finds the URLs of the first hits."""
        snapshot = index.session()
        _, best, _ = answer_query(snapshot, typed, NDCG_DEPTH, self.synonyms)
        return snapshot.urls([hit.document for hit in snapshot.rank(best, NDCG_DEPTH)])

    def mean_ndcg(self, index: OpenIndex) -> float:
        """Computes the mean nDCG@10 of the judged queries, 0.0 without any."""
        found = (ndcg(self.find_first(index, query), grades) for query, grades in self.judged.items())
        return fmean(found) if self.judged else 0.0

    def median_seconds(
        self, indexes: Sequence[OpenIndex], queries: Sequence[str], clock: Callable[[], float]
    ) -> list[float]:
        """Measures the median seconds that each takes for a query, 0.0 without any.

        Best those of this thread on a processor: how busy the machine is says nothing of an index. They take
        turns, and what is asked for the first time is not counted, as it reads what is cold.
        """
        taken: list[list[float]] = [[] for _ in indexes]
        for query in queries[:TIMED]:
            for index in indexes:
                self.find_first(index, query)
            for index, seconds in zip(indexes, taken, strict=True):
                began = clock()
                self.find_first(index, query)
                seconds.append(clock() - began)
        return [median(seconds) if seconds else 0.0 for seconds in taken]


def read_answer_test(data_dir: Path, ranking: Ranking) -> AnswerTest:
    """Reads queries.tsv and synonyms.tsv. Raises EngineError with the number of a wrong line."""
    return AnswerTest(
        read_judged_queries(data_dir), ranking, synonyms.read_synonyms(data_dir, ranking.variant)()
    )


def sample_queries(index: OpenIndex) -> list[str]:
    """Samples queries: first words of titles of documents spread over the index; TIMED at most."""
    return [" ".join(title.split()[:DRAWN_WORDS]) for title in index.sample_titles(TIMED)]


def compare_answers(
    asked: AnswerTest, old: OpenIndex, new: OpenIndex, quality_of_new: float, clock: Callable[[], float]
) -> tuple[AnswerFigures, AnswerFigures]:
    """Compares the answers of the old and the new generation."""
    queries = list(asked.judged) or sample_queries(new)
    old_seconds, new_seconds = asked.median_seconds((old, new), queries, clock)
    return AnswerFigures(asked.mean_ndcg(old), old_seconds), AnswerFigures(quality_of_new, new_seconds)
