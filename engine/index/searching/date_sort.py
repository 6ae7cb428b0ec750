"""Sorts hits by date, newest first; of one day the best first, undated ones last.

The date is the one that before: and after: go by, to the day (engine.index.schema.filters.day_of).
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.index.query import MostOf, Query
from engine.index.reader import Documents, Reader, Scores
from engine.index.scoring import Best
from engine.index.searching.document_filter import DocumentFilter
from engine.index.searching.facets import counting_depth
from engine.index.searching.index_searcher import IndexSearcher, RankedDocument
from engine.index.searching.minimum_should_match import require_all

Rank = Callable[[Best, int, int], list[RankedDocument]]
"""Ranks the first so many hits but those before a place."""


class DateOrder:
    """The hits of a query by date: `best` has their scores, `by_date` their places, the higher the first."""

    pinned: Sequence[RankedDocument] = ()

    def __init__(self, rank: Rank, best: Best, by_date: Best) -> None:
        self._rank, self.best, self._by_date = rank, best, by_date
        self.total = best.total

    def __call__(self, count: int, start: int = 0) -> list[RankedDocument]:
        """Ranks the first `count` but those before `start`; equals by URL (requirement 306)."""
        ranked = self._rank(self._by_date, count, start)
        at = self.best.documents.searchsorted([one.document for one in ranked])
        return list(map(RankedDocument, self.best.scores[at].tolist(), self.best.documents[at].tolist()))


def find_by_date(searcher: IndexSearcher, query: Query, only: DocumentFilter | None) -> DateOrder:
    """Finds the hits of a query (of these documents) by date; where there are more than counting_depth(), the
    best of them.

    Where some hits have all words, there are no others: the newest with one word of three helps nobody.
    """
    count = counting_depth(searcher.reader)
    whole = require_all(query) if isinstance(query, MostOf) else query
    best = searcher.find(whole, count, only)
    if not best.total and query is not whole:
        best = searcher.find(query, count, only)
    return DateOrder(searcher.rank, best, best._replace(scores=rank_by_date(searcher, best)))


def rank_by_date(searcher: IndexSearcher, best: Best) -> Scores:
    """Numbers the documents from the end, from 1; equals have the same."""
    speaks = ~searcher.flagged.contains(best.documents)
    columns = best.scores, _number_days(searcher.reader, best.documents), speaks
    order = np.lexsort(columns)
    differs = np.zeros(len(order), np.bool_)
    for column in columns:
        differs[1:] |= column[order][1:] != column[order][:-1]
    late = np.empty(len(order), np.float32)
    late[order] = np.cumsum(differs) + 1
    return late


def _number_days(reader: Reader, documents: Documents) -> NDArray[np.int64]:
    """Numbers the day of each of the documents (ascending), a later one for a later day, 0 for none."""
    columns = [member.leaf.column("day") for member in reader.members]
    every = sorted({"", *(name for column in columns for name in column.names)})
    numbers, found = {name: number for number, name in enumerate(every)}, np.empty(len(documents), np.int64)
    for at, _, where, local in reader.split_by_segment(documents):
        of_names = np.array([numbers[name] for name in columns[at].names], np.int64)
        found[where] = of_names[columns[at].numbers[local]]
    return found
