"""Checks what is asked by hand (`scrapy fetch`, `shell`, `parse`): each host's robots.txt comes first."""

from typing import Any

from scrapy import Request
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response
from twisted.python.failure import Failure

from engine.config import require_contact
from engine.crawl import interpret_robots, next_hop
from engine.errors import EngineError
from engine.middleware.fetching import (
    ALLOW_PRIVATE,
    NO_ADDRESS,
    build_request,
    fetch_from_failure,
    fetch_from_response,
)
from engine.middleware.robots_txt import RobotsTxtMiddleware
from engine.model import Claim, Fetch, Purpose
from engine.robots import Verdict
from engine.url import canonicalize, host_name, host_of, port_of


class PageGate(RobotsTxtMiddleware):
    """Checks requests that no frontier gave out, and says who asks. The spider keeps the rules."""

    async def process_request(self, request: Request) -> None:  # type: ignore[override]
        """Raises EngineError for what robots.txt does not allow, for a host that is paused, for what was
        removed, and for an address that is no http(s) URL.
        """
        claim = request.meta.get("claim")
        if claim is None:
            url = _canonical(request.url)
            spider: Any = self._crawler.spider
            if why := spider.refusal(url):
                raise EngineError(f"{url} is not asked: {why}")
            await self._learn(host_of(url))
            request.headers.update(spider.identity.headers(Claim(0, url, host_of(url))))
        try:
            super().process_request(request)
        except IgnoreRequest as error:
            host = host_of(_canonical(request.url))
            raise EngineError(
                f"{error} may not be fetched; 'scrapy robots --refresh {host}' shows why"
            ) from error

    def process_response(self, request: Request, response: Response) -> Response:
        """Lets go of what is counted of a body: this is the end of its way."""
        self._crawler.spider.in_flight.release(request)  # type: ignore[union-attr]
        return super().process_response(request, response)

    async def _learn(self, host: str) -> None:
        """Fetches a host's robots.txt, over redirects, unless its rules are known."""
        spider: Any = self._crawler.spider
        if not spider.own_hosts.allows(host_name(f"{host}/"), port_of(f"{host}/")):
            require_contact(spider.config, f"the owner of {host}")
        before = spider.robots_state(host)
        if before and before.is_fresh(spider.clock()):
            return
        claim: Claim | None = Claim(0, f"{host}/robots.txt", host, kind=Purpose.ROBOTS)
        while claim:
            fetch = await self._fetch(claim)
            claim = next_hop(fetch)
        config = spider.config
        state = interpret_robots(fetch, spider.clock(), before, config.robots, config.aliases)
        if state.verdict is Verdict.DEFER:
            raise EngineError(
                f"robots.txt of {host} {state.outcome}, so nothing of it may be asked"
                + (f"; {ALLOW_PRIVATE}" if fetch.error == NO_ADDRESS else "")
            )
        spider.robots[host] = state

    async def _fetch(self, claim: Claim) -> Fetch:
        assert self._crawler.engine
        request = build_request(claim, self._crawler.spider)
        try:
            return fetch_from_response(await self._crawler.engine.download_async(request))
        except Exception:
            failure = Failure()  # type: ignore[no-untyped-call]
            failure.request = request  # type: ignore[attr-defined]  # as Scrapy does
            return fetch_from_failure(failure)


def _canonical(url: str) -> str:
    """Returns the canonical URL. Raises EngineError for what is no http(s) URL."""
    try:
        return canonicalize(url)
    except ValueError as error:
        raise EngineError(f"{url!r}: {error}; write the whole address, https://www.example.org/") from error
