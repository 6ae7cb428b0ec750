"""Scores a ranked list by its documents' grades: nDCG@10, average precision, recall@100.

Definitions as trec_eval has them (https://github.com/usnistgov/trec_eval). A list holds each
document once, best first, ties already put in order. What is not judged is not relevant.
"""

from collections.abc import Mapping, Sequence
from math import log2
from typing import NamedTuple

NDCG_DEPTH = 10  # documents: what a person sees
RECALL_DEPTH = 100
DEPTH = 1_000  # documents of a list that are looked at, as trec_eval does by default


class Measures(NamedTuple):
    """Measures of one list, or their means over a collection; each from 0 to 1."""

    ndcg: float
    average_precision: float
    recall: float

    def as_object(self) -> dict[str, float]:
        """Returns the measures by their usual names, to four digits."""
        return dict(zip(("ndcg@10", "map", "recall@100"), (round(value, 4) for value in self), strict=True))


def measure(ranked: Sequence[str], grades: Mapping[str, int]) -> Measures:
    """Computes all measures of a ranked list; at least one grade is above 0."""
    ranked = ranked[:DEPTH]
    return Measures(ndcg(ranked, grades), average_precision(ranked, grades), recall(ranked, grades))


def ndcg(ranked: Sequence[str], grades: Mapping[str, int]) -> float:
    """Computes the normalised discounted cumulated gain (Järvelin and Kekäläinen, 2002).

    A document's gain is its grade, 0 where that is below; the discount at rank r is log2(r + 1);
    the sum over the first NDCG_DEPTH is divided by that of the best list possible.
    """
    best = sorted(grades.values(), reverse=True)
    return _gain([grades.get(document, 0) for document in ranked]) / _gain(best)


def average_precision(ranked: Sequence[str], grades: Mapping[str, int]) -> float:
    """Computes the average precision: at each relevant document's rank, over all relevant documents.

    One that is not in the list adds nothing; the mean over queries is MAP.
    """
    hits = [rank for rank, document in enumerate(ranked, 1) if grades.get(document, 0) > 0]
    return sum(found / rank for found, rank in enumerate(hits, 1)) / _relevant(grades)


def recall(ranked: Sequence[str], grades: Mapping[str, int]) -> float:
    """Computes the share of relevant documents among the first RECALL_DEPTH."""
    return sum(grades.get(document, 0) > 0 for document in ranked[:RECALL_DEPTH]) / _relevant(grades)


def mean(of: Sequence[Measures]) -> Measures:
    """Averages over queries, of which there is at least one; each counts the same."""
    return Measures(*(sum(values) / len(of) for values in zip(*of, strict=True)))


def _gain(grades: Sequence[int]) -> float:
    return sum(max(grade, 0) / log2(rank + 1) for rank, grade in enumerate(grades[:NDCG_DEPTH], 1))


def _relevant(grades: Mapping[str, int]) -> int:
    return sum(grade > 0 for grade in grades.values())
