"""Explains a page's rank for what was typed, as a person who types it finds it."""

from collections.abc import Sequence

from engine.index.searching import NO_INLINKS, RankExplanation, Snapshot, host_collapsing
from engine.search.answer import answer_query
from engine.suggest import Synonyms, pins

PLACES = 10  # that are looked for where no host is folded


def explain_rank(
    snapshot: Snapshot, url: str, typed: str, pinned: Sequence[str], known: Synonyms
) -> RankExplanation | None:
    """Explains the rank of a page, by canonical URL, where some are pinned; None if it is not indexed."""
    of_url = snapshot.find_urls([url])
    if not of_url:
        return None
    document, first = of_url[0], snapshot.find_urls(pinned) if pinned else []
    may_fold = host_collapsing.can_collapse(snapshot)
    count = host_collapsing.LOOKED_AT if may_fold else PLACES
    query, _, notes = answer_query(snapshot, typed, count, known)
    found = snapshot.explain(query, document, count)
    best = snapshot.find(query, max(count, found.rank))
    order = pins.PinnedOrder(snapshot, query, best, first)
    few = host_collapsing.collapse_hosts(snapshot, query, best, order.pinned) if may_fold else None
    plain = order.find_rank(document, found.rank)
    inlinks = snapshot.inlinks([url]).get(url, NO_INLINKS)
    place = host_collapsing.find_place(few, order, document, plain) if few else plain
    return RankExplanation(url, typed, found, place, plain, order.total, document in first, inlinks, notes)
