"""Collapses hits by host: two of a host among the first ten, its others folded under them.

The first ten have that many places. Where the hosts that match are too few to fill them, places stay empty.
Behind them come all other hits in their order, the folded ones too: no page repeats a hit or loses one.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple, assert_never

import numpy as np
from numpy.typing import NDArray

from engine.index.query import (
    AllOf,
    AndMaybe,
    AnyOf,
    Boost,
    Compound,
    Every,
    Field,
    Matched,
    MostOf,
    Phrase,
    Prefix,
    Query,
    Range,
    Word,
)
from engine.index.scoring import Best, rank_top
from engine.index.searching.index_searcher import TIES, RankedDocument
from engine.index.searching.snapshot import Snapshot

FIRST = 10  # places
MAX_PER_HOST = 2  # hits among them
MIN_HOSTS = 3  # with hits; where there are fewer, nobody looks for others
LOOKED_AT = 1_000  # best hits; hosts further on are not seen
_OF_SITE = frozenset({"site", "host", "url"})  # keys behind site:

Order = Callable[[int, int], list[RankedDocument]]
"""The first so many hits, best first, but those before a place."""


class CollapsedHits(NamedTuple):
    """The hits in the first places, `more` of their hosts by document; all are among the best `until`."""

    first: Sequence[RankedDocument]
    more: Mapping[int, int]
    until: int


def can_collapse(snapshot: Snapshot) -> bool:
    """Tells whether the index has hosts enough."""
    return snapshot.has_hosts(MIN_HOSTS)


def collapse_hosts(
    snapshot: Snapshot, query: Query, best: Best, pinned: Sequence[RankedDocument]
) -> CollapsedHits | None:
    """Collapses the `best` LOOKED_AT hits by host; what is pinned comes first and is never folded.

    None where fewer than MIN_HOSTS are among those hits, and for site:, which asks for one.
    """
    if _asks_for_site(query):
        return None
    places = rank_top(best.scores, LOOKED_AT, LOOKED_AT)[0][:LOOKED_AT]
    first = [one.document for one in pinned]
    documents = np.union1d(best.documents[places], np.array(first, np.int32))
    hosts = snapshot.number_hosts(documents)
    here = np.bincount(hosts)
    if len(here) < MIN_HOSTS:
        return None
    places = places[~np.isin(best.documents[places], first)]
    behind = hosts[documents.searchsorted(best.documents[places])].tolist()
    able = np.sort(places[_select_hits(best.scores[places].tolist(), behind)])
    some = best._replace(documents=best.documents[able], scores=best.scores[able])
    ranked = [*pinned, *snapshot.rank(some, len(able))]
    of_each = hosts[documents.searchsorted([one.document for one in ranked])].tolist()
    shown = list(_limit_per_host(ranked, of_each, len(pinned)))[:FIRST]
    until = len(pinned) + int(np.count_nonzero(best.scores >= shown[-1][0].score))
    return CollapsedHits([one for one, _ in shown], _count_more(shown, here), min(until, LOOKED_AT + TIES))


def select_hits(folded: CollapsedHits, order: Order, start: int, end: int) -> list[RankedDocument]:
    """Returns the hits in the places start ... end - 1."""
    shown, size = list(folded.first[start:end]), len(folded.first)
    if end <= FIRST:
        return shown
    start, end = max(start - FIRST, 0), end - FIRST
    is_first = {one.document for one in folded.first}
    others = [one for one in order(folded.until, 0) if one.document not in is_first]
    shown += others[start:end]
    if end > len(others):
        shown += order(end + size, max(start + size, folded.until))
    return shown


def find_place(folded: CollapsedHits, order: Order, document: int, plain: int) -> int:
    """Finds the place of a document on the pages of hits by its place in the order (0: none)."""
    shown = [one.document for one in folded.first]
    if document in shown:
        return shown.index(document) + 1
    before = {one.document for one in order(plain - 1, 0)} if plain else set()
    return FIRST + plain - len(before.intersection(shown)) if plain else 0


def count_empty_places(folded: CollapsedHits, total: int) -> int:
    """Counts the first places in which nothing stands, although hits come behind them."""
    size = len(folded.first)
    return FIRST - size if total > size else 0


def _asks_for_site(query: Query) -> bool:
    match query:
        case Field():
            return query.name in _OF_SITE
        case Range():
            return query.key in _OF_SITE
        case AndMaybe() | Boost():
            return _asks_for_site(query.part)
        case AnyOf():
            return any(map(_asks_for_site, query.parts))
        case AllOf():
            return any(map(_asks_for_site, (*query.parts, *query.only)))
        case MostOf():
            return any(map(_asks_for_site, (*query.parts, *query.must, *query.only)))
        case Word() | Phrase() | Compound() | Prefix() | Every() | Matched():
            return False
        case _:
            assert_never(query)


def _select_hits(scores: Sequence[float], hosts: Sequence[int]) -> list[int]:
    """Selects the hits, best first, that may stand in the first places: the best of each host, and what is as
    good.
    """
    taken, last, found, places = Counter[int](), dict[int, float](), list[int](), 0
    for at, (score, host) in enumerate(zip(scores, hosts, strict=True)):
        if places >= FIRST and score < scores[found[-1]]:
            break
        if taken[host] < MAX_PER_HOST or score == last[host]:
            places += taken[host] < MAX_PER_HOST
            taken[host] += 1
            last[host] = score
            found.append(at)
    return found


def _limit_per_host(
    ranked: Sequence[RankedDocument], hosts: Sequence[int], pinned: int
) -> Iterator[tuple[RankedDocument, int]]:
    """Yields the hits that are not folded, each with its host; so many are pinned."""
    taken = Counter[int]()
    for at, (one, host) in enumerate(zip(ranked, hosts, strict=True)):
        if taken[host] < MAX_PER_HOST or at < pinned:
            taken[host] += 1
            yield one, host


def _count_more(first: Sequence[tuple[RankedDocument, int]], here: NDArray[np.int64]) -> dict[int, int]:
    """Counts how many others of its host match, for the last hit of each host that has as many as it may."""
    shown = Counter(host for _, host in first)
    last = {host: one.document for one, host in first if shown[host] >= MAX_PER_HOST}
    more = {document: int(here[host]) - shown[host] for host, document in last.items()}
    return {document: count for document, count in more.items() if count}
