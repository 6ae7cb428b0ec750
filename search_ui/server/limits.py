"""Limits the rate of requests of a client by a token bucket."""

from collections import OrderedDict
from collections.abc import Awaitable, Callable
from math import ceil
from typing import NamedTuple

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from engine.config import ServerConfig
from engine.model import Message
from search_ui.server.clients import identify_client

MAX_CLIENTS = 10_000  # buckets kept, 3 MB; beyond them whoever asked longest ago is forgotten, so begins anew


class _Bucket(NamedTuple):
    requests: float  # that may be made at once
    at: float  # seconds of the clock


class TokenBuckets:
    """A token bucket for each client: `burst` requests at once, then `rate` a second."""

    def __init__(self, rate: float, burst: int, clock: Callable[[], float]) -> None:
        self._rate = rate
        self.burst = burst
        self._clock = clock
        self._of: OrderedDict[object, _Bucket] = OrderedDict()

    def take(self, client: object) -> float:
        """Takes a token; returns 0, or in how many seconds there is one again, and takes none."""
        now = self._clock()
        bucket = self._of.pop(client, _Bucket(self.burst, now))
        filled = min(self.burst, bucket.requests + (now - bucket.at) * self._rate)
        short = max(0.0, 1 - filled)
        self._of[client] = _Bucket(filled if short else filled - 1, now)
        if len(self._of) > MAX_CLIENTS:
            self._of.popitem(last=False)
        return short / self._rate

    def put_back(self, client: object) -> None:
        """Puts the last token back."""
        if bucket := self._of.get(client):
            self._of[client] = _Bucket(min(self.burst, bucket.requests + 1), bucket.at)


class RateLimitMiddleware:
    """Limits the rate of each client: answers 429 to one that asks too often, never to this machine."""

    def __init__(
        self,
        app: ASGIApp,
        serving: ServerConfig,
        clock: Callable[[], float],
        refused: Callable[[Request, Exception], Awaitable[Response]],
    ) -> None:
        self.app = app
        self.proxies = serving.trusted_proxies
        self.buckets = TokenBuckets(serving.requests_per_second, serving.burst, clock)
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
