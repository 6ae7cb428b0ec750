"""Asks a cluster for the candidates of a query: those that match best by the weights of their terms."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from engine.index.cluster_form import FLAGGED, VOTES
from engine.index.cluster_searching.moment import Answer
from engine.index.cluster_searching.translate import DSL, match_any, prefer_unflagged
from engine.index.query import AllOf, AnyOf, MostOf, Query, collect_prefixes, collect_words
from engine.index.scoring import COUNTED
from engine.index.searching import LOOKED_AT, DocumentFilter, host_collapsing
from engine.url import authority_of

CANDIDATES = 200  # best by their terms; of 700 queries one had one of its ten best further behind
PARTIAL_CANDIDATES = LOOKED_AT * 3 // 2  # that have any of the words
OF_HOST = 5  # of a host that the candidates have too few of: its best two by our own score are among them
LEADERS = 100  # of all such hosts
MAX_HITS = 10_000  # max_result_window of OpenSearch
# Of what matches alike that is first which would be first among candidates. The last key is the URL, so that
# no two are equal, and each page of hits goes on where the one before it ended.
BY_SCORE = ({"_score": "desc"}, {VOTES: "desc"}, {"url": "asc"})
BY_DATE = (
    {FLAGGED: "asc"},
    {"day": {"order": "desc", "missing": "_last"}},
    {"_score": "desc"},
    {"url": "asc"},
)
BY_URL = ({"url": "asc"},)
# Of a hit nothing is read but its place in the order, which ends with its URL: there may be thousands.
COLUMNS: Mapping[str, Any] = {"stored_fields": "_none_", "seq_no_primary_term": True}


class FoundPage(NamedTuple):
    """A page that matched. What is `alike` has an equal place in the cluster's order."""

    url: str
    version: int  # of its document
    score: float  # by the weights of its terms; where it does not decide, 1.0
    alike: tuple[object, ...]


class FirstPhase(NamedTuple):
    """What matches all, the first of the cluster's order; what has any of the words; and how many match all,
    and more where it is not `exact`.
    """

    hits: Sequence[FoundPage]
    partial: Sequence[FoundPage]
    by_date: Sequence[FoundPage]
    total: int
    exact: bool

    @property
    def candidates(self) -> list[FoundPage]:
        """Those that are ranked by our own evaluator, each once."""
        every = *self.hits[:CANDIDATES], *self.partial, *self.by_date[:CANDIDATES]
        return list({page.url: page for page in every}.values())

    @property
    def leaders(self) -> list[FoundPage]:
        """Those behind them that are the best of their hosts, of which the candidates have few: they are
        shown before others, so our own evaluator ranks them, too.
        """
        met, found = Counter(authority_of(page.url) for page in self.hits[:CANDIDATES]), list[FoundPage]()
        able = {host for host, count in met.items() if count >= host_collapsing.MAX_PER_HOST}
        taken, known = Counter[str](), {page.url for page in self.candidates}
        for page in self.hits[CANDIDATES : host_collapsing.LOOKED_AT]:
            host = authority_of(page.url)
            if host not in able and taken[host] < OF_HOST and page.url not in known:
                taken[host] += 1
                found.append(page)
        return found[:LEADERS]


class Wanted(NamedTuple):
    """What is asked for: so many hits (of these documents), and so many by date."""

    query: Query
    most: int
    only: DocumentFilter | None = None
    by_date: int = 0


def make_requests(wanted: Wanted, translate: Callable[[Query], DSL]) -> list[DSL]:
    """Makes the requests whose answers read_first_phase() reads."""
    query, whole = wanted.query, apply_filter(translate(wanted.query), wanted.only)
    has_words = collect_words(query) or collect_prefixes(query)
    by_score = {"query": whole if has_words else prefer_unflagged(whole), "sort": BY_SCORE}
    requests = [{**by_score, "size": limit_size(wanted.most), "track_total_hits": COUNTED}]
    if isinstance(query, MostOf):
        any_ = translate(AllOf((AnyOf(query.parts), *query.must), query.but, query.only))
        some = {"query": apply_filter(any_, wanted.only), "sort": BY_SCORE, "size": PARTIAL_CANDIDATES}
        requests.append({**some, "track_total_hits": False})
    if wanted.by_date:
        dated = {"query": whole, "sort": BY_DATE, "size": limit_size(wanted.by_date)}
        requests.append({**dated, "track_total_hits": False})
    return [{**request, **COLUMNS} for request in requests]


def read_first_phase(wanted: Wanted, answers: Sequence[Answer]) -> FirstPhase:
    """Reads the answers to make_requests()."""
    hits, *others = [[read_page(hit) for hit in answer["hits"]["hits"]] for answer in answers]
    partial = others.pop(0) if isinstance(wanted.query, MostOf) else []
    total = answers[0]["hits"]["total"]
    return FirstPhase(hits, partial, others[0] if others else [], total["value"], total["relation"] == "eq")


def read_page(hit: Answer) -> FoundPage:
    """Reads a hit with COLUMNS, in an order that ends with the URL."""
    *alike, url = hit["sort"]
    score = hit["_score"]
    return FoundPage(url, hit["_seq_no"], 1.0 if score is None else score, tuple(alike))


def apply_filter(query: DSL, only: DocumentFilter | None) -> DSL:
    """Leaves of what matches what a filter leaves."""
    return {"bool": {"must": [query], "filter": [match_any(only.query)]}} if only else query


def limit_size(count: int) -> int:
    """Limits how many are asked for: no fewer than are ranked, no more than OpenSearch gives."""
    return min(max(CANDIDATES, count), MAX_HITS)
