"""Takes turns with a host for what its pages ask for: at its pace, not beside the crawl's own requests."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from engine.frontier import Frontier
from engine.model import Claim

LOOK_SECONDS = 0.1  # between looks whether a host may be asked
NOT_NOW = "its host is not to be asked now"  # a kind of PageError


class HostTurns:
    """The turns of hosts whose pages are rendered; `clock` gives seconds since 1970."""

    def __init__(
        self,
        frontier: Frontier,
        clock: Callable[[], float],
        sleep: Callable[[float], Awaitable[Any]] = asyncio.sleep,
    ) -> None:
        self._frontier, self._clock, self._sleep = frontier, clock, sleep
        self._held: set[str] = set()

    @asynccontextmanager
    async def hold(self, claim: Claim) -> AsyncIterator[None]:
        """Keeps the crawl from asking a host of others for its next page while one is rendered.

        So its requests have the host's turns, and rendering never falls behind.
        """
        queue = self._frontier.host_queues[claim.host]
        if queue.pace.max_requests > 1:
            yield
            return
        while claim.host in self._held:
            await self._sleep(LOOK_SECONDS)
        self._held.add(claim.host)
        queue.in_flight += 1
        try:
            yield
        finally:
            self._held.discard(claim.host)
            self._frontier.defer(claim)

    async def take(self, host: str) -> None:
        """Waits until a host may be asked, and takes the turn; the crawl's record_response ends it."""
        queue = self._frontier.host_queues[host]
        of_page = 1 if host in self._held else 0
        if queue.just_leased and self._frontier.is_wary:
            queue.hold(self._clock())
        queue.just_leased = False
        while (
            queue.is_held(self._clock())
            or queue.ready_at > self._clock()
            or queue.rest_until > self._clock()
            or queue.in_flight - of_page >= queue.pace.max_requests
        ):
            await self._sleep(LOOK_SECONDS)
        queue.in_flight += 1
        queue.asked_at = self._clock()

    async def meet(self, host: str) -> None:
        """Waits until this crawl knows the robots.txt of a host that it is about to ask for it."""
        queue = self._frontier.host_queues.get(host)
        while queue and queue.leased and queue.waiting and queue.robots is None and not queue.is_suspended:
            await self._sleep(LOOK_SECONDS)

    def may_ask(self, host: str) -> bool:
        """Tells whether this crawl alone asks a host, knows its robots.txt, and has not suspended it."""
        queue = self._frontier.host_queues.get(host)
        if queue is None or not queue.leased or queue.is_suspended or queue.robots is None:
            return False
        now = self._clock()
        return not (self._frontier.paused.is_paused(host, now) or queue.seconds_closed(now))
