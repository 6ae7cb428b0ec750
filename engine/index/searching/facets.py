"""Counts hits by label, host, language, type and time."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, timedelta

import numpy as np
from numpy.typing import NDArray

from engine.index.query import MostOf, Query
from engine.index.reader import Column, Documents, Reader, merge_documents
from engine.index.scoring import COUNTED, SMALL, Best
from engine.index.searching.document_filter import DocumentFilter, accepted_by
from engine.index.searching.index_searcher import IndexSearcher
from engine.index.searching.labels import Labels
from engine.index.searching.minimum_should_match import require_all
from engine.model import FacetCount, Facets

MAX_SHARES = 10  # values of a field, the most frequent; more is no menu
SPANS = (1, 7, 30, 365)  # days: since yesterday, in the past week, month, year
FacetsToCome = Callable[[], Facets]
"""Waits for facets that are being counted; whoever asked for them may do other work before."""
KEY_OF = {"host": "host", "lang": "language", "type": "type"}  # fields as the index has them


def counting_depth(reader: Reader) -> int:
    """Returns how many hits, the best, are counted: in an index of SMALL documents all, else COUNTED."""
    return reader.size if reader.size <= SMALL else COUNTED


def count_facets(
    searcher: IndexSearcher,
    query: Query,
    best: Best,
    only: DocumentFilter | None,
    labels: Labels,
    today: date,
) -> Facets:
    """Counts the facets of a query's hits (of these documents), of which these are the best.

    Where there are more hits than counting_depth(), only the best of them are counted.
    Hits that miss words are counted as `best` has them.
    """
    documents = (
        best.documents if len(best.documents) == best.total else _find_documents(searcher, query, best, only)
    )
    exact = best.exact and len(documents) >= best.total
    times = 1.0 if exact or not len(documents) else max(best.total / len(documents), 1.0)
    shares = {
        "label": _count_labels(searcher, labels, documents),
        **{field: _most_frequent(searcher.reader, key, documents) for field, key in KEY_OF.items()},
        "after": _count_since(searcher.reader, documents, today),
    }
    guessed = {
        field: [FacetCount(value, round(hits * times)) for value, hits in found]
        for field, found in shares.items()
    }
    return Facets(guessed, exact)


def _find_documents(
    searcher: IndexSearcher, query: Query, best: Best, only: DocumentFilter | None
) -> Documents:
    """Finds all documents that have all words, and what else is among the best."""
    whole = require_all(query) if isinstance(query, MostOf) else query
    count = counting_depth(searcher.reader)
    found = searcher.evaluate.collect_top(whole, count, searcher.flagged, accepted_by(only))
    return merge_documents([found.documents, best.documents])


def _count_labels(searcher: IndexSearcher, labels: Labels, documents: Documents) -> Sequence[FacetCount]:
    """Counts the labels that most of the documents have; equals by name."""
    found = dict[str, int]()
    for name, queries in labels.items():
        has = np.zeros(len(documents), np.bool_)
        for query in queries:
            has |= searcher.evaluate(query).scores_of(documents) > 0
        found[name] = int(np.count_nonzero(has))
    return top_values(found)


def _count_values(
    reader: Reader, key: str, documents: Documents
) -> Iterator[tuple[Column, NDArray[np.int64]]]:
    """Yields for each segment the values of a key, and how many of the documents have each."""
    for _, member, _, local in reader.split_by_segment(documents):
        column = member.leaf.column(key)
        yield column, np.bincount(column.numbers[local], minlength=len(column.names))


def _most_frequent(reader: Reader, key: str, documents: Documents) -> Sequence[FacetCount]:
    """Counts the values that most of the documents have; equals by name. http and https are one host."""
    found = Counter[str]()
    for column, counts in _count_values(reader, key, documents):
        for number in np.flatnonzero(counts).tolist():
            found[column.names[number].rpartition("//")[2]] += int(counts[number])
    del found[""]
    return top_values(found)


def top_values(found: Mapping[str, int]) -> Sequence[FacetCount]:
    """Sorts out the most frequent of the values that there are."""
    there = [FacetCount(value, hits) for value, hits in found.items() if hits]
    return sorted(there, key=_by_frequency)[:MAX_SHARES]


def _by_frequency(one: tuple[str, int]) -> tuple[int, str]:
    return -one[1], one[0]


def first_days(today: date) -> list[str]:
    """Lists the first day of each of the spans."""
    return [(today - timedelta(span)).isoformat() for span in SPANS]


def _count_since(reader: Reader, documents: Documents, today: date) -> Sequence[FacetCount]:
    """Counts the documents of the past day, week, month and year, where there are some."""
    first = first_days(today)
    hits = np.zeros(len(SPANS), np.int64)
    for column, counts in _count_values(reader, "day", documents):
        until = np.append(np.cumsum(counts[::-1])[::-1], 0)  # of each day and all days after it
        hits += until[np.searchsorted(np.array(column.names), first)]
    return [FacetCount(day, int(count)) for day, count in zip(first, hits, strict=True) if count]
