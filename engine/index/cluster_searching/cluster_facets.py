"""Counts facets by aggregations: over all hits, however many there are."""

from datetime import date

from engine.index.cluster_form import AUTHORITY
from engine.index.cluster_searching.moment import Answer
from engine.index.cluster_searching.translate import DSL, match_any
from engine.index.query import AnyOf
from engine.index.searching import KEY_OF, MAX_SHARES, Labels, first_days, top_values
from engine.model import FacetCount, Facets

PER_SHARD = 10_000  # values that a shard counts: with as many different ones in its hits, counts are exact
_COLUMNS = KEY_OF | {"host": AUTHORITY}
_MOST_FREQUENT = ({"_count": "desc"}, {"_key": "asc"})


def make_aggregations(labels: Labels, today: date) -> dict[str, DSL]:
    """Makes the aggregations that read_facets() reads."""
    every: dict[str, DSL] = {
        field: {
            "terms": {"field": name, "size": MAX_SHARES, "shard_size": PER_SHARD, "order": _MOST_FREQUENT}
        }
        for field, name in _COLUMNS.items()
    }
    every["after"] = _count_filters([{"range": {"day": {"gte": day}}} for day in first_days(today)])
    if labels:
        every["label"] = _count_filters([match_any(AnyOf(tuple(queries))) for queries in labels.values()])
    return every


def read_facets(answer: Answer, labels: Labels, today: date) -> Facets:
    """Reads what was counted."""
    found = answer["aggregations"]
    buckets = {field: found[field]["buckets"] if field in found else [] for field in ("label", "after")}
    counts = {field: [one["doc_count"] for one in some] for field, some in buckets.items()}
    days = zip(first_days(today), counts["after"], strict=True)
    return Facets(
        {
            "label": top_values(dict(zip(labels, counts["label"], strict=True))),
            **{
                field: [FacetCount(one["key"], one["doc_count"]) for one in found[field]["buckets"]]
                for field in _COLUMNS
            },
            "after": [FacetCount(day, count) for day, count in days if count],
        },
        True,
    )


def _count_filters(filters: list[DSL]) -> DSL:
    return {"filters": {"filters": filters}}
