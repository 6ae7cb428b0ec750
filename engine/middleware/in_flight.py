"""Bounds the bytes of bodies in flight, from the first byte that comes until they were read.

With a thousand hosts that send ten megabytes each, what is under way would be gigabytes. Beyond a bound no
request begins, and what has more than its share waits: nothing is taken from its connection, so its host
waits, too. A few always go on, so that there is an end to it.
"""

from typing import Protocol

from scrapy import Request

MAX_BYTES = 96_000_000  # of all bodies; 256 usual ones have 13 MB
SHARE = 128 * 1024  # bytes that a body may have in any case: those of CONCURRENT_REQUESTS are 34 MB
FAVOURED = 2  # bodies that go on beyond the bound: 20 MB of pages, 105 of sitemaps

PAUSED = "paused"  # in a request's meta: its answer had to wait for others
_HELD = "held"  # there, too: how many bytes of its answer are in memory


class Connection(Protocol):
    """A connection that bytes come from."""

    def pauseProducing(self) -> object:  # noqa: N802  # Twisted's name
        """Pauses reading."""

    def resumeProducing(self) -> object:  # noqa: N802  # the same
        """Resumes reading."""


class InFlightBytes:
    """Counts bytes of bodies in memory, as they come and as they are done with."""

    def __init__(self) -> None:
        self.held = 0
        self._favoured: set[Request] = set()
        self._waiting: dict[Request, Connection] = {}  # the one that waits longest first
        self._last: Request | None = None

    @property
    def is_full(self) -> bool:
        """Tells whether no request should begin."""
        return self.held >= MAX_BYTES

    def add(self, request: Request, size: int) -> None:
        """Adds bytes that have come, of the connection that `throttle` is given next."""
        self.held += size
        request.meta[_HELD] = request.meta.get(_HELD, 0) + size
        self._last = request

    def throttle(self, connection: Connection | None) -> None:
        """Pauses the connection whose bytes were just added if there is no room for more."""
        request, self._last = self._last, None
        if request is None or connection is None or not self.is_full or request.meta.get(_HELD, 0) <= SHARE:
            return
        if request in self._favoured or self._favour(request):
            return
        request.meta[PAUSED] = True
        self._waiting[request] = connection
        connection.pauseProducing()

    def release(self, request: Request | None) -> None:
        """Releases the bytes of a request that is done or gone; calling it again does no harm."""
        if request is None:
            return
        self.held -= request.meta.pop(_HELD, 0)
        self._favoured.discard(request)
        self._waiting.pop(request, None)
        while self._waiting and (not self.is_full or len(self._favoured) < FAVOURED):
            first = next(iter(self._waiting))
            connection = self._waiting.pop(first)
            if self.is_full:
                self._favour(first)
            connection.resumeProducing()

    def _favour(self, request: Request) -> bool:
        if len(self._favoured) < FAVOURED:
            self._favoured.add(request)
        return request in self._favoured
