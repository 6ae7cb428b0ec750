"""Makes one page of results, cached until something changes that it depends on."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import NamedTuple

from engine.index.lexicon import Lexicon
from engine.index.scoring import Best
from engine.index.searching import (
    CurrentLabels,
    DateOrder,
    RankedDocument,
    Snapshot,
    filter_choice,
    host_collapsing,
)
from engine.model import Facets, Hit, Note, NoteKind, Results, SearchFilters, Sort
from engine.search.answer import answer_query
from engine.search.hits import hit_nbytes, make_hits
from engine.search.navigational import is_navigational
from engine.search.sitelinks import find_sitelinks
from engine.suggest import VERY_FEW, Synonyms, did_you_mean, find_site_names, pins

ANSWER = 1_000  # bytes: what an answer takes beside its texts
SHARE = 200  # bytes: a value of a facet
NOTE = 300  # bytes


class ResultsRequest(NamedTuple):
    """All that an answer over one snapshot depends on: what is equal here is answered alike.

    `first` are the URLs that the operator pinned for these words. Facets count back from `today`.
    """

    typed: str
    page: int
    size: int
    fold: bool
    choice: SearchFilters
    synonyms: Synonyms
    first: Sequence[str]
    today: date
    labels: CurrentLabels


class CachedResults(NamedTuple):
    """An answer as it is remembered."""

    results: Results

    @property
    def nbytes(self) -> int:
        """The memory that it takes, about."""
        results = self.results
        shares = sum(map(len, results.facets.counts.values())) if results.facets else 0
        texts = sum(map(sys.getsizeof, (results.query, results.did_you_mean, *results.sites.values())))
        return (
            ANSWER + texts + SHARE * shares + NOTE * len(results.notes) + sum(map(hit_nbytes, results.hits))
        )


def make_results(snapshot: Snapshot, question: ResultsRequest) -> Results:
    """Makes a page of results, the same as when it was asked before, if it was; `took_ms` is 0, for the
    caller to say.
    """
    return snapshot.answers.get(question, lambda: CachedResults(_compute_results(snapshot, question))).results


def _compute_results(snapshot: Snapshot, question: ResultsRequest) -> Results:
    typed, page, size, fold, choice, synonyms, urls, today, current = question
    labels = current.queries
    only, by_date = filter_choice(snapshot, choice, labels), choice.sort is Sort.DATE
    first = [] if by_date or not urls else snapshot.find_urls(urls, only)
    fold = fold and not by_date and not choice.host and host_collapsing.can_collapse(snapshot)
    count = max(page * size, host_collapsing.LOOKED_AT) if fold else page * size
    query, best, notes = answer_query(snapshot, typed, count, synonyms, only)
    notes = (Note(NoteKind.INDEX_DAMAGED), *notes) if snapshot.damaged else notes
    order: pins.PinnedOrder | DateOrder = pins.PinnedOrder(snapshot, query, best, first)
    if by_date:
        order = snapshot.order_by_date(query, page * size, only)
        best, notes = order.best, [note for note in notes if note.kind is not NoteKind.PARTIAL_MATCHES_AFTER]
    total, start, end = order.total, (page - 1) * size, page * size
    counting = snapshot.begin_facets(query, best, only, labels, today) if choice.with_facets else None
    few = host_collapsing.collapse_hosts(snapshot, query, best, order.pinned) if fold else None
    ranked = host_collapsing.select_hits(few, order, start, end) if few else order(end, start)
    notes = _note_partial(snapshot, notes, best, [one for one in ranked if one not in order.pinned])
    found = make_hits(snapshot, query, ranked, first, few.more if few else {})
    if page == 1 and found and not by_date:
        found[0] = _add_sitelinks(snapshot, typed, found, ranked[0].document)
    is_loosened = any(note.kind is NoteKind.PARTIAL_MATCHES for note in notes)
    meant = did_you_mean(snapshot, typed) if is_loosened or total <= VERY_FEW else ""
    counts = counting() if counting else None
    sites = _name_sites(snapshot.lexicon, found, counts)
    empty = host_collapsing.count_empty_places(few, total) if few else 0
    return Results(typed, total, page, size, 0.0, found, notes, meant, empty, choice, counts, sites)


def _note_partial(
    snapshot: Snapshot, notes: Sequence[Note], best: Best, ranked: Sequence[RankedDocument]
) -> Sequence[Note]:
    """Leaves out that partial matches follow where none of these hits is one: such rank behind all others."""
    if not any(note.kind is NoteKind.PARTIAL_MATCHES_AFTER for note in notes):
        return notes
    whole = {one.document for one in snapshot.rank(best, best.total - best.partial)}
    if any(one.document not in whole for one in ranked):
        return notes
    return [note for note in notes if note.kind is not NoteKind.PARTIAL_MATCHES_AFTER]


def _name_sites(lexicon: Lexicon, hits: Sequence[Hit], counts: Facets | None) -> Mapping[str, str]:
    """Names the hosts that are shown."""
    hosts = [share.value for share in counts.counts["host"]] if counts else []
    return find_site_names(lexicon, [*(hit.host for hit in hits), *hosts])


def _add_sitelinks(snapshot: Snapshot, typed: str, hits: Sequence[Hit], first: int) -> Hit:
    """Adds its main sections to the first hit, which is this document, where the query names it."""
    if not is_navigational(snapshot.lexicon, typed, hits):
        return hits[0]
    return replace(hits[0], sitelinks=find_sitelinks(snapshot.pages([first])[0]))
