"""Counts what the documents of a whole index hold, for scores of candidates."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from engine.index.cluster_form import OWN_TERMS
from engine.index.cluster_searching.translate import DSL, match_any, match_own, match_terms
from engine.index.query import Boost, Field, MostOf, Prefix, Query, Word, walk
from engine.index.reader import FIELD
from engine.index.schema import TEXT_FIELDS
from engine.index.scoring import DocumentCounts

Filters = dict[str, DSL]


class ClusterStatistics(NamedTuple):
    """The size of an index, the mean lengths of its texts, and the counts of the parts of one query."""

    documents: int
    averages: Mapping[str, float]
    counts: Mapping[Query, DocumentCounts]

    def count_matches(self, query: Query, here: DocumentCounts) -> DocumentCounts:
        """Returns the whole index's count; what nobody has counted orders nothing."""
        return self.counts.get(query, here)


def list_counted(query: Query) -> list[Query]:
    """Lists the parts of a query whose counts decide on scores: words, what is scored as one, and whatever a
    document may miss.
    """
    return list(dict.fromkeys(_walk_counted(query)))


def _walk_counted(query: Query) -> Iterator[Query]:
    for node in walk(query):
        if isinstance(node, Word | Prefix) or (isinstance(node, Field) and node.name in TEXT_FIELDS):
            yield node
        elif isinstance(node, MostOf):
            yield from (part.part if isinstance(part, Boost) else part for part in node.parts)


def make_filters(parts: Sequence[Query]) -> Filters:
    """Makes the filters that count each of the parts, to be read by read_counts()."""
    filters = Filters()
    for number, part in enumerate(parts):
        filters[f"{number} own"], filters[f"{number} all"] = match_own(part), match_any(part)
        if isinstance(part, Word):
            filters[f"{number} exact"] = match_terms(part.terms, (FIELD, OWN_TERMS))
            filters[f"{number} body"] = match_terms(part.terms | part.variants, (FIELD,))
    return filters


def count_each(filters: Filters) -> list[DSL]:
    """Makes a request for each filter: a cluster counts them beside each other, together in a fifth of the
    time of an aggregation of all, which asks each document for each of them.
    """
    return [
        {"query": {"bool": {"filter": one}}, "size": 0, "track_total_hits": True} for one in filters.values()
    ]


def read_counts(parts: Sequence[Query], counts: Mapping[str, int]) -> dict[Query, DocumentCounts]:
    """Reads how many documents each filter has found."""
    found = {}
    for number, part in enumerate(parts):
        own = counts[f"{number} own"]
        exact, in_body = counts.get(f"{number} exact", own), counts.get(f"{number} body", 0)
        found[part] = DocumentCounts(own, exact, in_body, counts[f"{number} all"])
    return found
