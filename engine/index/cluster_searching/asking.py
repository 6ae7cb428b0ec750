"""Asks a cluster for the candidates of a query: those that match best by the weights of their terms."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from engine.index.cluster_form import FLAGGED, VOTES
from engine.index.cluster_searching.moment import Answer, SearchAll
from engine.index.cluster_searching.translate import DSL, match_any, prefer_unflagged
from engine.index.query import AllOf, AnyOf, MostOf, Query, collect_prefixes, collect_words
from engine.index.scoring import COUNTED
from engine.index.searching import LOOKED_AT, DocumentFilter, host_collapsing
from engine.url import authority_of

CANDIDATES = 200  # best by their terms; of 700 queries one had one of its ten best further behind
PARTIAL_CANDIDATES = 3 * LOOKED_AT  # that have any of the words; with half of them more totals differ
OF_HOST = 5  # of a host that the candidates have too few of: its best two by our own score are among them
LEADERS = 100  # of all such hosts
MAX_HITS = 10_000  # max_result_window of OpenSearch
# Of what matches alike that is first which would be first among candidates. The last key is the URL, so that
# no two are equal, and each page of hits goes on where the one before it ended.
BY_SCORE_AND_URL = ({"_score": "desc"}, {VOTES: "desc"}, {"url": "asc"})
# The same but for equals, and five times as fast among a million pages: of whatever comes into a list that is
# sorted by URL the URL is unpacked.
BY_SCORE = ({"_score": "desc"}, {VOTES: "desc"}, {"_seq_no": "asc"})
BY_DATE = (
    {FLAGGED: "asc"},
    {"day": {"order": "desc", "missing": "_last"}},
    {"_score": "desc"},
    {"url": "asc"},
)
BY_URL = ({"url": "asc"},)
# Of a hit nothing is read but its URL and its place in the order: there may be thousands.
COLUMNS: Mapping[str, Any] = {
    "stored_fields": "_none_",
    "docvalue_fields": ["url"],
    "seq_no_primary_term": True,
}


class FoundPage(NamedTuple):
    """A page that matched. What is `alike` has an equal place in the cluster's order."""

    url: str
    version: int  # of its document
    score: float  # by the weights of its terms; where it does not decide, 1.0
    alike: tuple[object, ...]

    def is_equal_to(self, other: "FoundPage") -> bool:
        """Tells whether nothing but the URL decides which of them is first, of a list by score."""
        return self.alike[:2] == other.alike[:2]


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


def find_candidates(wanted: Wanted, translate: Callable[[Query], DSL], search: SearchAll) -> FirstPhase:
    """Finds what matches best by its terms, in one request; in another one those that are first by URL where
    a list of candidates ends between equals.
    """
    lists = _list_wanted(wanted, translate)
    answers = search(*[one.body for one in lists])
    found = _settle_equals(lists, list(map(_read_pages, answers)), search)
    hits, *others = found
    partial = others.pop(0)[:PARTIAL_CANDIDATES] if isinstance(wanted.query, MostOf) else []
    total = answers[0]["hits"]["total"]
    return FirstPhase(hits, partial, others[0] if others else [], total["value"], total["relation"] == "eq")


class WantedList(NamedTuple):
    """The request for a list of hits, of which the first `limit` are candidates; 0: it is sorted by URL."""

    body: DSL
    limit: int

    def find_equals(self, hits: Sequence[FoundPage]) -> DSL | None:
        """Makes the request for those of the equals at the limit that are first by URL."""
        if not 0 < self.limit < len(hits) or not hits[self.limit].is_equal_to(hits[self.limit - 1]):
            return None
        start = next(at for at, page in enumerate(hits) if page.is_equal_to(hits[self.limit]))
        after = {"sort": BY_SCORE_AND_URL, "search_after": [*hits[start].alike[:2], ""]}
        return {**self.body, **after, "size": self.limit - start, "track_total_hits": False}


def _list_wanted(wanted: Wanted, translate: Callable[[Query], DSL]) -> list[WantedList]:
    """Makes the requests for the lists of FirstPhase: the partial one where words may be missing."""
    query, whole = wanted.query, apply_filter(translate(wanted.query), wanted.only)
    count = {"size": limit_size(wanted.most), "track_total_hits": COUNTED, **COLUMNS}
    if collect_words(query) or collect_prefixes(query):
        lists = [WantedList({"query": whole, "sort": BY_SCORE, **count}, CANDIDATES)]
    else:
        lists = [WantedList({"query": prefer_unflagged(whole), "sort": BY_SCORE_AND_URL, **count}, 0)]
    if isinstance(query, MostOf):
        any_ = translate(AllOf((AnyOf(query.parts), *query.must), query.but, query.only))
        some = {"query": apply_filter(any_, wanted.only), "sort": BY_SCORE, "size": PARTIAL_CANDIDATES + 1}
        lists.append(WantedList({**some, "track_total_hits": False, **COLUMNS}, PARTIAL_CANDIDATES))
    if wanted.by_date:
        dated = {"query": whole, "sort": BY_DATE, "size": limit_size(wanted.by_date)}
        lists.append(WantedList({**dated, "track_total_hits": False, **COLUMNS}, 0))
    return lists


def _settle_equals(
    lists: Sequence[WantedList], found: list[list[FoundPage]], search: SearchAll
) -> list[list[FoundPage]]:
    """Settles which of equals are candidates where the lists that were found end between some."""
    asked = {
        at: body
        for at, (one, hits) in enumerate(zip(lists, found, strict=True))
        if (body := one.find_equals(hits))
    }
    for at, answer in zip(asked, search(*asked.values()) if asked else (), strict=True):
        found[at] = _put_first(found[at], _read_pages(answer), lists[at].limit)
    return found


def _put_first(hits: Sequence[FoundPage], first: Sequence[FoundPage], limit: int) -> list[FoundPage]:
    """Puts those of the equals that are `first` before the others, as the last within the limit."""
    known, start = {page.url for page in first}, limit - len(first)
    return [*hits[:start], *first, *(page for page in hits[start:] if page.url not in known)]


def _read_pages(answer: Answer) -> list[FoundPage]:
    return list(map(read_page, answer["hits"]["hits"]))


def read_page(hit: Answer) -> FoundPage:
    """Reads a hit with COLUMNS."""
    score, order = hit["_score"], tuple(hit["sort"])
    url = hit["fields"]["url"][0]
    alike = order[:-1] if order[-1] == url else order
    return FoundPage(url, hit["_seq_no"], 1.0 if score is None else score, alike)


def apply_filter(query: DSL, only: DocumentFilter | None) -> DSL:
    """Leaves of what matches what a filter leaves."""
    return {"bool": {"must": [query], "filter": [match_any(only.query)]}} if only else query


def limit_size(count: int) -> int:
    """Limits how many are asked for: more than are ranked, no more than OpenSearch gives."""
    return min(max(CANDIDATES + 1, count), MAX_HITS)
