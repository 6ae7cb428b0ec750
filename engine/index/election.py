"""The election: once all links are known, the URL that is preferred stands for each cluster of copies.

It is held where a crawl ends and the link graph has caught up, so that neither the order of answers nor a
kill decides. The owner's LINK counts first, then the pages that link to a URL, then how short it is.
"""

from contextlib import closing

import sqlalchemy as sa

from engine.index.generations import Generation
from engine.store.clusters import Clusters
from engine.store.election import Candidate, candidates, contested, take_over
from engine.store.runs import living_runs
from engine.store.tables import writing

AT_ONCE = 100  # clusters to a transaction; others can write between them


def elect(database: sa.Engine, generation: Generation, now: float) -> int:
    """Let the preferred URL of each cluster stand for it; how many took over.

    None while a crawl is under way: its end brings the last word. `now` in seconds since 1970.
    """
    over, last = 0, ""
    with closing(Clusters(generation.links)) as clusters:
        while True:
            with writing(database) as connection:
                if living_runs(connection, "crawl", now):
                    return over
                if not (pages := contested(connection, last, AT_ONCE)):
                    return over
                over += sum(_elected(connection, clusters, page) for page in pages)
                last = pages[-1]


def _elected(connection: sa.Connection, clusters: Clusters, page: str) -> bool:
    """Whether another URL stands for this page from now on."""
    standing = candidates(connection, page)
    if len(standing) < 2:
        return False
    linking = clusters.linking([one.url for one in standing])
    first = min(standing, key=lambda one: _place(one, linking.get(one.url, 0)))
    if first.url != page:
        take_over(connection, page, first.url)
    return first.url != page


def _place(one: Candidate, linking: int) -> tuple[bool, int, int, str]:
    return not one.named, -linking, len(one.url), one.url
