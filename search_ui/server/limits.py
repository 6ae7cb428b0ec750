"""Limits the rate of requests of a client by a token bucket."""

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from math import ceil
from typing import NamedTuple

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from engine.config import Network
from engine.model import Message
from search_ui.server.clients import NetworkKey, identify_client

MAX_CLIENTS = 10_000  # buckets kept, 3 MB; beyond them whoever asked longest ago is forgotten, so begins anew


class Bucket(NamedTuple):
    """How many requests a client may make at once, as of a time of the clock."""

    requests: float
    at: float  # seconds


class TokenBuckets:
    """A token bucket for each client: `burst` requests at once, then `rate` a second."""

    def __init__(self, rate: float, burst: int, clock: Callable[[], float]) -> None:
        self._rate = rate
        self.burst = burst
        self._clock = clock
        self._of: OrderedDict[NetworkKey, Bucket] = OrderedDict()

    def take(self, client: NetworkKey) -> float:
        """Takes a token; returns 0, or in how many seconds there is one again, and takes none."""
        now = self._clock()
        self._of[client], wait = self._draw(self._of.pop(client, None), now)
        if len(self._of) > MAX_CLIENTS:
            self._of.popitem(last=False)
        return wait

    def put_back(self, client: NetworkKey) -> None:
        """Puts the last token back."""
        if bucket := self._of.get(client):
            self._of[client] = self._return(bucket)

    def _draw(self, bucket: Bucket | None, now: float) -> tuple[Bucket, float]:
        """Takes a token from a client's bucket; returns what is left, and how many seconds to wait."""
        filled: float = self.burst
        if bucket:
            filled = min(filled, bucket.requests + max(0.0, now - bucket.at) * self._rate)
        short = max(0.0, 1 - filled)
        return Bucket(filled if short else filled - 1, now), short / self._rate

    def _return(self, bucket: Bucket) -> Bucket:
        return Bucket(min(self.burst, bucket.requests + 1), bucket.at)


class RateLimitMiddleware:
    """Limits the rate of each client: answers 429 to one that asks too often, never to this machine."""

    def __init__(
        self,
        app: ASGIApp,
        proxies: Sequence[Network],
        buckets: TokenBuckets,
        refused: Callable[[Request, Exception], Awaitable[Response]],
    ) -> None:
        self.app = app
        self.proxies = proxies
        self.buckets = buckets
        self.refused = refused

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes the request on, or refuses it unread."""
        answering = await self._chosen(scope)
        await answering(scope, receive, send)

    async def _chosen(self, scope: Scope) -> ASGIApp:
        client = identify_client(scope, self.proxies)
        # Whoever a proxy that we trust brings without a readable word of who it is, is not this machine.
        is_here = client.is_loopback and not (self.proxies and client.is_forwarded)
        wait = 0.0 if is_here else self.buckets.take(client.network_key)
        if not wait:
            return self.app
        later = {"Retry-After": str(ceil(wait))}  # whole seconds (RFC 9110, 10.2.3)
        detail = Message("Too many requests in a short time. Wait a moment, then try again.")
        return await self.refused(Request(scope), HTTPException(429, detail, later))
