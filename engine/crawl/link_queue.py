"""Queues newly found URLs and applies entries of sitemaps and feeds to known ones, piece by piece."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

import sqlalchemy as sa

from engine.crawl.discovery import Discovery
from engine.crawl.permissions import Permissions
from engine.frontier import Frontier
from engine.model import Purpose, Visit
from engine.robots import Sitemap
from engine.store import apply_feed, apply_sitemap, requeue_changed, requeue_due_feeds
from engine.url import host_of

MAX_ENTRIES = 2_000  # of a sitemap to a transaction: a tenth of a second, in which nobody else is heard
LOOK_SECONDS = 60.0  # between two looks for feeds that are due


class LinkQueue:
    """Queues the links, redirects and sitemap entries of visits that are being committed."""

    def __init__(self, discovery: Discovery, frontier: Frontier, permissions: Permissions) -> None:
        self._discovery = discovery
        self._frontier = frontier
        self._permissions = permissions
        self._looked_at = 0.0  # for feeds

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
            if not visit.sitemap:
                continue
            entries = [replace(entry, loc=settled(entry.loc)) for entry in visit.sitemap.entries]
            if visit.fetch.claim.kind is Purpose.FEED:
                self._requeue(connection, apply_feed(connection, visit.fetch.claim.url, entries, now))
                continue
            apply_sitemap(connection, [*visit.sitemap.sitemaps, *entries], now)
            if whole:
                host = visit.fetch.claim.host
                host_id, under_way = self._frontier.reload(host)
                self._frontier.add_waiting(host, requeue_changed(connection, host_id, under_way, now))

    def requeue_feeds(self, connection: sa.Connection, now: float) -> None:
        """Queues feeds that have become due while the crawl is at work, by a look now and then."""
        if now - self._looked_at >= LOOK_SECONDS:
            self._looked_at = now
            sites = self._discovery.sites
            self._requeue(connection, requeue_due_feeds(connection, sites.feeds, sites.is_own, now))

    def _requeue(self, connection: sa.Connection, queued: Sequence[str]) -> None:
        """Counts known URLs that are queued again; whoever asks their hosts hears of it."""
        for host, number in Counter(map(host_of, queued)).items():
            self._frontier.record_requeued(connection, host, number)


def split_sitemap(visit: Visit) -> Iterator[Visit]:
    """Splits the visit of a long sitemap into several, each with the next of its entries."""
    sitemap = visit.sitemap or Sitemap()
    for at in range(0, max(len(sitemap.entries), len(sitemap.sitemaps)) - MAX_ENTRIES, MAX_ENTRIES):
        to = at + MAX_ENTRIES
        yield replace(visit, sitemap=Sitemap(sitemap.entries[at:to], sitemap.sitemaps[at:to]))
        rest = replace(sitemap, entries=sitemap.entries[to:], sitemaps=sitemap.sitemaps[to:])
        visit = replace(visit, sitemap=rest)
    yield visit
