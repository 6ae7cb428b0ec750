"""Makes hits of documents: title, snippet, section, date, inlinks, copies."""

import sys
from collections.abc import Hashable, Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple, Self

from engine.index.query import Query, Word, collect_words
from engine.index.searching import RankedDocument, Snapshot
from engine.index.snippets import QueryMatcher, build_matcher, check_copy, make_snippet
from engine.index.stored_pages import StoredPage
from engine.linkgraph import ALONE
from engine.model import Hit
from engine.packing import dumps, loads
from engine.text.analysis import strip_bidi_controls

HIT = 400  # bytes: what a hit takes beside its texts
MARK = 100  # bytes: a span
WORD = 1_000  # bytes: one of a query, without its terms
TERM = 100  # bytes
KEPT = 20  # pages for a query: those that were shown last, and some of those before

Lasting = tuple[str, int]


class HitContent(NamedTuple):
    """What a page itself tells of a hit; nothing of what others say of it, nor of its place."""

    url: str
    title: str
    snippet: str
    marks: Sequence[tuple[int, int]]
    section: str
    fragment: str
    text_directive: str
    language: str
    fetched_at: str
    media_type: str
    day: str
    has_copy: bool


class PackedHits(NamedTuple):
    """What pages tell of a query of these words: packed, it takes a fifth."""

    frame: bytes
    words: Sequence[Word]

    @classmethod
    def pack(cls, told: Mapping[Lasting, HitContent], words: Sequence[Word]) -> Self:
        """Packs what pages tell, by Snapshot.stable_key()."""
        return cls(dumps([*told.items()]), words)

    @property
    def nbytes(self) -> int:
        """The memory that it takes with the query that it is remembered by, about."""
        terms = sum(len(word.terms) + len(word.variants) for word in self.words)
        return WORD * len(self.words) + TERM * terms + sys.getsizeof(self.frame)

    @property
    def unpack(self) -> dict[Lasting, HitContent]:
        """Unpacks what pages tell, by document."""
        return {(segment, place): HitContent._make(told) for (segment, place), told in loads(self.frame)}


def hit_nbytes(hit: Hit) -> int:
    """Estimates the memory that a hit takes, in bytes."""
    texts = hit.url, hit.title, hit.snippet, hit.section, hit.fragment, hit.text_directive, *hit.copy_urls
    links = (text for link in hit.sitelinks for text in link)
    return HIT + MARK * len(hit.marks) + sum(map(sys.getsizeof, (*texts, *links)))


def make_hits(
    snapshot: Snapshot,
    query: Query,
    ranked: list[RankedDocument],
    pinned: Sequence[int],
    more: Mapping[int, int],
) -> list[Hit]:
    """Makes hits as they are shown, in their order; with how many `more` of its host stand behind each.

    Those that are `pinned` say so.
    """
    read = _read_pages(snapshot, query, [one.document for one in ranked])
    urls = [told.url for told in read]
    linking, clusters = snapshot.count_linking_pages(urls), snapshot.clusters(urls)
    return [
        Hit(
            url=told.url,
            title=told.title,
            snippet=told.snippet,
            score=score,
            inlinks=linking.get(told.url, 0),
            language=told.language,
            fetched_at=told.fetched_at,
            marks=tuple([(start, end) for start, end in told.marks]),
            copies=(cluster := clusters.get(told.url, ALONE)).copies,
            copy_urls=cluster.urls,
            media_type=told.media_type,
            section=told.section,
            fragment=told.fragment,
            text_directive=told.text_directive,
            pinned=document in pinned,
            more_from_host=more.get(document, 0),
            date=told.day,
            has_copy=told.has_copy,
        )
        for told, (score, document) in zip(read, ranked, strict=True)
    ]


def _read_pages(snapshot: Snapshot, query: Query, documents: Sequence[int]) -> Sequence[HitContent]:
    """Reads what pages tell, remembered: reading is most of a search's work, and a commit of other pages
    changes nothing in it.
    """
    # Queries are equal whatever form of a word was typed (Word.surface); what is shown of a page is not.
    asked = collect_words(query)
    key: Hashable = query, tuple(word.surface for word in asked)
    before = snapshot.cache.hits.peek(key)
    told = before.unpack if isinstance(before, PackedHits) else {}
    lasting = {snapshot.stable_key(one): one for one in documents}
    if new := [one for one in lasting if one not in told]:
        matcher, pages = (
            build_matcher(query, snapshot.languages),
            snapshot.pages([lasting[one] for one in new]),
        )
        told |= {one: _describe_page(page, matcher) for one, page in zip(new, pages, strict=True)}
        last = sorted(told.items(), key=lambda one: one[0] not in lasting)[: max(KEPT, len(lasting))]
        snapshot.cache.hits.put(key, PackedHits.pack(dict(last), asked))
    return [told[one] for one in lasting]


def _describe_page(page: StoredPage, matcher: QueryMatcher) -> HitContent:
    passage = make_snippet(page, matcher)
    return HitContent(
        url=page.url,
        title=strip_bidi_controls(page.title),
        snippet=passage.text,
        marks=passage.marks,
        section=strip_bidi_controls(passage.section),
        fragment=passage.fragment,
        text_directive=passage.text_directive,
        language=page.language,
        fetched_at=datetime.fromtimestamp(page.fetched_at, UTC).isoformat(timespec="seconds"),
        media_type=page.media_type,
        day=page.day,
        has_copy=check_copy(page) is None,
    )
