"""Finds the names of pages in a cluster that begin as was typed.

The cluster returns the pages whose names are the best by their kinds and votes, with all their names; then it
counts the pages of each name.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from engine.index.cluster_form import NAMED, VOTES, NameTerm, begins_with, unpack_names
from engine.index.cluster_searching.one_search import Search, decode_value
from engine.index.cluster_searching.translate import DSL
from engine.index.lexicon import KIND_WEIGHTS, MAX_KEPT, NameCandidate, weigh_names
from engine.index.schema import MAX_FOLDED, NAMES, fold_name
from engine.url import host_of

PAGES = 128  # whose names are looked at, the best; more where they have few names
ROUNDS = 3  # that bring those of other pages
ENOUGH = 16  # names: twice what is offered, as several may be one
COUNTED = 2 * MAX_KEPT  # names whose pages are counted


class FoundName(NamedTuple):
    """A name, and one of its pages with the votes of that."""

    term: NameTerm
    url: str
    votes: float


class CountedName(NamedTuple):
    """How many pages have a name, and the votes of the most linked of them."""

    pages: int
    votes: float


def find_cluster_names(search: Search, source: str, beginning: str) -> list[NameCandidate]:
    """Finds the best names; `source` is the first part of the keys of their pages."""
    names = _find_best(search, beginning)
    counts = _count_pages(search, [one.term.key for one in names])
    there = [(one, counts[one.term.key]) for one in names if counts[one.term.key].pages]
    weights = weigh_names(
        np.array([KIND_WEIGHTS[one.term.kind] for one, _ in there], np.float32),
        np.array([of.votes for _, of in there], np.float32),
        np.array([of.pages for _, of in there], np.int64),
    ).tolist()
    return [
        NameCandidate(weight, one.term.text, host_of(one.url), (source, one.url) if of.pages == 1 else None)
        for (one, of), weight in zip(there, weights, strict=True)
    ]


def _find_best(search: Search, beginning: str) -> list[FoundName]:
    """Finds the best names by their kinds and votes, some page of each."""
    found, behind = dict[str, FoundName](), DSL()
    for _ in range(ROUNDS):
        hits = search(_ask_for_names(beginning, found) | behind)["hits"]["hits"]
        for one in _read_names(hits, beginning):
            found.setdefault(one.term.key, one)
        if len(hits) < PAGES or len({one.term.term for one in found.values()}) >= ENOUGH:
            break
        behind = {"search_after": hits[-1]["sort"]}
    return sorted(found.values(), key=_rank_name)[:COUNTED]


def _rank_name(found: FoundName) -> tuple[float, int, str]:
    """Ranks a name by what is known before its pages are counted."""
    name = found.term.text
    return -KIND_WEIGHTS[found.term.kind] * (1 + found.votes), len(name), name


def _ask_for_names(beginning: str, known: Iterable[str]) -> DSL:
    """Asks for the pages with the best names, but those that have a known one."""
    begins = [
        {"constant_score": {"filter": begins_with(kind, beginning[:MAX_FOLDED]), "boost": weight}}
        for kind, weight in KIND_WEIGHTS.items()
    ]
    query: DSL = {"bool": {"must": {"dis_max": {"queries": begins}}}}
    if without := list(known):
        query["bool"]["must_not"] = {"terms": {NAMES: without}}
    votes = {"field_value_factor": {"field": VOTES, "missing": 0}}
    linked = {"functions": [{"weight": 1}, votes], "score_mode": "sum", "boost_mode": "multiply"}
    return {
        "query": {"function_score": {"query": query, **linked}},
        "size": PAGES,
        "sort": [{"_score": "desc"}, {"url": "asc"}],
        "track_total_hits": False,
        "stored_fields": "_none_",
        "docvalue_fields": ["url", VOTES, NAMED],
    }


def _read_names(hits: Iterable[DSL], beginning: str) -> Iterator[FoundName]:
    """Reads the names of pages that begin so; the whole of them where more is typed than terms have."""
    for hit in hits:
        fields = hit["fields"]
        for term in unpack_names(decode_value(fields[NAMED][0]), beginning[:MAX_FOLDED]):
            if len(beginning) <= MAX_FOLDED or beginning in fold_name(term.text):
                yield FoundName(term, fields["url"][0], float(fields[VOTES][0]))


def _count_pages(search: Search, keys: Sequence[str]) -> Mapping[str, CountedName]:
    """Counts the pages of names, and looks up the votes of the most linked of them."""
    if not keys:
        return {}
    filters = {str(at): {"term": {NAMES: key}} for at, key in enumerate(keys)}
    most = {"votes": {"max": {"field": VOTES}}}
    answer = search(
        {
            "query": {"bool": {"filter": {"terms": {NAMES: list(keys)}}}},
            "size": 0,
            "track_total_hits": False,
            "aggs": {"names": {"filters": {"filters": filters}, "aggs": most}},
        }
    )
    buckets = answer["aggregations"]["names"]["buckets"]
    found = [buckets[str(at)] for at in range(len(keys))]
    return {
        key: CountedName(of["doc_count"], of["votes"]["value"] or 0.0)
        for key, of in zip(keys, found, strict=True)
    }
