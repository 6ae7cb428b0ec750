"""Pools connections: one for a host is kept for its next request, within what the system allows."""

import resource
from collections.abc import Hashable
from itertools import islice
from typing import Any

from scrapy.core.downloader.handlers.http11 import HTTP11DownloadHandler
from scrapy.crawler import Crawler
from twisted.web.client import HTTPConnectionPool

from engine.middleware.http1 import BoundedFactory

MAX_KEPT = 4_096  # connections that wait for their host's next turn; some 40 MB


class ConnectionPool(HTTPConnectionPool):
    """A pool with a bound: beyond `most`, the connections that have waited longest are closed."""

    # Twisted would send a request again, at once, when a kept connection ends without an answer: two
    # requests without a pause, and nobody notices that the host hung up. The frontier tries again.
    retryAutomatically = False  # noqa: N815  # Twisted's name
    most = MAX_KEPT

    def _putConnection(self, key: Hashable, connection: Any) -> None:  # noqa: N802
        super()._putConnection(key, connection)  # type: ignore[no-untyped-call]
        for closing in islice(self._timeouts.values(), max(len(self._timeouts) - self.most, 0)):
            closing.reset(0)


class PooledDownloader(HTTP11DownloadHandler):
    """Scrapy's download handler over our pool."""

    lazy = True  # made for the first request: Scrapy's shell has no spider before

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        theirs, self._pool = self._pool, ConnectionPool(self._pool._reactor)  # type: ignore[no-untyped-call]
        self._pool.maxPersistentPerHost = theirs.maxPersistentPerHost
        self._pool._factory = self._factory  # type: ignore[assignment]  # is called as one
        spider: Any = crawler.spider
        self._contextFactory = spider.tls_policy.wrap(self._contextFactory)
        self._fail_on_dataloss_warned = True  # of answers that were cut short the visits tell
        self._pool.most = min(
            MAX_KEPT, _max_open_files() // 2
        )  # the others are for requests, the database, readers

    def _factory(self, quiescent: Any, metadata: Any) -> BoundedFactory:
        """Makes connections that wait while there is no memory for what they bring."""
        factory = BoundedFactory(quiescent, metadata)  # type: ignore[no-untyped-call]
        factory.passed = lambda connection: self._crawler.spider.in_flight.throttle(connection)  # type: ignore[union-attr]
        return factory


def _max_open_files() -> int:
    """How many files this process may open: as many as the system lets it ask for.

    The usual 1,024 are for programs that use select(2); a crawl of as many hosts would end there.
    """
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    return MAX_KEPT * 2 if most == resource.RLIM_INFINITY else most
