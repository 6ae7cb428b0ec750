"""Documents that were found -> hits: title, passage, section, date, inlinks, copies."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from engine.index.query import Query
from engine.index.shown import Shown
from engine.index.snapshot import NO_INLINKS, Ranked, Snapshot
from engine.index.snippet import snippet
from engine.index.sought import Sought, sought
from engine.index.text_copy import no_copy
from engine.page import Hit
from engine.store.clusters import ALONE, Cluster
from engine.text import undirected


def hits(
    snapshot: Snapshot, query: Query, ranked: list[Ranked], pinned: Sequence[int], more: Mapping[int, int]
) -> list[Hit]:
    """As they are shown, in their order; with how many `more` of its host stand behind each.

    Those that are `pinned` say so.
    """
    pages, wanted = [snapshot.reader.page(hit.document) for hit in ranked], sought(query)
    urls = [page.url for page in pages]
    around = [(hit.document in pinned, more.get(hit.document, 0)) for hit in ranked]
    inlinks, clusters = snapshot.inlinks(urls), snapshot.clusters(urls)
    return [
        _hit(wanted, hit, page, inlinks.get(url, NO_INLINKS).pages, clusters.get(url, ALONE), *of_host)
        for hit, page, url, of_host in zip(ranked, pages, urls, around, strict=True)
    ]


def _hit(
    wanted: Sought, ranked: Ranked, page: Shown, inlinks: int, cluster: Cluster, pinned: bool, more: int
) -> Hit:
    passage = snippet(page, wanted)
    return Hit(
        url=page.url,
        title=undirected(page.title),
        snippet=passage.text,
        score=ranked.score,
        inlinks=inlinks,
        language=page.language,
        fetched_at=datetime.fromtimestamp(page.fetched_at, UTC).isoformat(timespec="seconds"),
        marks=passage.marks,
        copies=cluster.copies,
        copy_urls=cluster.named,
        media_type=page.media_type,
        section=undirected(passage.section),
        fragment=passage.fragment,
        day=page.day,
        has_copy=no_copy(page) is None,
        pinned=pinned,
        more_of_host=more,
    )
