"""Documents that were found -> hits: title, passage, section, date, inlinks, copies."""

import sys
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import NamedTuple

from engine.index.query import Query
from engine.index.shown import Shown
from engine.index.snapshot import NO_INLINKS, Ranked, Snapshot
from engine.index.snippet import snippet
from engine.index.sought import Sought, sought
from engine.index.text_copy import no_copy
from engine.page import Hit
from engine.store.clusters import ALONE
from engine.text import undirected

HIT = 400  # bytes: what a hit takes beside its texts
MARK = 100  # bytes: a span
WORD = 1_000  # bytes: one of a query


class Read(NamedTuple):
    """Hits as far as their pages tell, for a query of so many words."""

    hits: Sequence[Hit]
    words: int = 0

    @property
    def nbytes(self) -> int:
        """The memory that they take with their query, about."""
        return WORD * self.words + sum(map(size, self.hits))


def size(hit: Hit) -> int:
    """The memory that a hit takes, about, in bytes."""
    texts = hit.url, hit.title, hit.snippet, hit.section, hit.fragment, *hit.copy_urls
    return HIT + MARK * len(hit.marks) + sum(map(sys.getsizeof, texts))


def hits(
    snapshot: Snapshot, query: Query, ranked: list[Ranked], pinned: Sequence[int], more: Mapping[int, int]
) -> list[Hit]:
    """As they are shown, in their order; with how many `more` of its host stand behind each.

    Those that are `pinned` say so.
    """
    read = _read(snapshot, query, [one.document for one in ranked])
    urls = [hit.url for hit in read]
    inlinks, clusters = snapshot.inlinks(urls), snapshot.clusters(urls)
    return [
        replace(
            hit,
            score=score,
            inlinks=inlinks.get(hit.url, NO_INLINKS).pages,
            copies=(cluster := clusters.get(hit.url, ALONE)).copies,
            copy_urls=cluster.named,
            pinned=document in pinned,
            more_of_host=more.get(document, 0),
        )
        for hit, (score, document) in zip(read, ranked, strict=True)
    ]


def _read(snapshot: Snapshot, query: Query, documents: Sequence[int]) -> Sequence[Hit]:
    """Remembered: reading is most of a search's work, and a commit of other pages changes nothing in it."""
    wanted, reader = sought(query), snapshot.reader
    # Queries are equal whatever form of a word was typed (Word.said); what is shown of a page is not.
    key: Hashable = (query, tuple(wanted.said.items()), tuple(map(reader.lasting, documents)))

    def read() -> Read:
        return Read([_hit(reader.page(one), wanted) for one in documents], len(wanted.needles))

    return reader.cache.hits.get(key, read).hits


def _hit(page: Shown, wanted: Sought) -> Hit:
    """What the page itself tells; nothing of what others say of it, nor of its place."""
    passage = snippet(page, wanted)
    return Hit(
        url=page.url,
        title=undirected(page.title),
        snippet=passage.text,
        score=0.0,
        inlinks=0,
        language=page.language,
        fetched_at=datetime.fromtimestamp(page.fetched_at, UTC).isoformat(timespec="seconds"),
        marks=passage.marks,
        media_type=page.media_type,
        section=undirected(passage.section),
        fragment=passage.fragment,
        day=page.day,
        has_copy=no_copy(page) is None,
    )
