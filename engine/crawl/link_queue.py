"""Queues newly found URLs and applies sitemap entries to known ones, piece by piece."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import sqlalchemy as sa

from engine.crawl.discovery import Discovery
from engine.crawl.permissions import Permissions
from engine.frontier import Frontier
from engine.model import Visit
from engine.robots import Sitemap
from engine.store import apply_sitemap, requeue_changed

MAX_ENTRIES = 2_000  # of a sitemap to a transaction: a tenth of a second, in which nobody else is heard


class LinkQueue:
    """Queues the links, redirects and sitemap entries of visits that are being committed."""

    def __init__(self, discovery: Discovery, frontier: Frontier, permissions: Permissions) -> None:
        self._discovery = discovery
        self._frontier = frontier
        self._permissions = permissions

    def enqueue(
        self, connection: sa.Connection, visits: Sequence[Visit], now: float, *, whole: bool = False
    ) -> None:
        """Queues new URLs of these visits, and applies what sitemaps say of known ones.

        `whole`: their sitemaps end with this; of their hosts more URLs wait now, or fewer.
        """
        self._frontier.add(
            connection, self._permissions.without_removed(self._discovery.new_urls(visits)), now
        )
        settled = self._discovery.aliases.resolve
        for visit in visits:
            if visit.sitemap:
                entries = [replace(entry, loc=settled(entry.loc)) for entry in visit.sitemap.entries]
                apply_sitemap(connection, [*visit.sitemap.sitemaps, *entries])
            if visit.sitemap and whole:
                host = visit.fetch.claim.host
                host_id, under_way = self._frontier.reload(host)
                self._frontier.add_waiting(host, requeue_changed(connection, host_id, under_way, now))


def split_sitemap(visit: Visit) -> Iterator[Visit]:
    """Splits the visit of a long sitemap into several, each with the next of its entries."""
    sitemap = visit.sitemap or Sitemap()
    for at in range(0, max(len(sitemap.entries), len(sitemap.sitemaps)) - MAX_ENTRIES, MAX_ENTRIES):
        to = at + MAX_ENTRIES
        yield replace(visit, sitemap=Sitemap(sitemap.entries[at:to], sitemap.sitemaps[at:to]))
        rest = Sitemap(sitemap.entries[to:], sitemap.sitemaps[to:], sitemap.warnings)
        visit = replace(visit, sitemap=rest)
    yield visit
