"""Asks hosts for what pages need while they are rendered: behind each gate that a page itself has passed."""

import asyncio
from dataclasses import replace
from typing import Any

from scrapy.crawler import Crawler
from twisted.python.failure import Failure

from engine.crawl import SUCCESS
from engine.errors import PageError
from engine.middleware import UNPACKED, build_request, fetch_from_failure, fetch_from_response
from engine.model import Claim, Fetch, State
from engine.render.host_turns import HostTurns
from engine.render.resource_cache import Resource, ResourceCache
from engine.url import find_trap, host_name, host_of, port_of
from engine.workers import decompress

MAX_BYTES = 8_000_000  # of one answer, packed or unpacked; the longest scripts of busy sites have five
_ANY_TYPE = frozenset[str]()  # a script's suffix is no trap here


class ResourceRequests:
    """Sends the requests of rendered pages by Scrapy's downloader, in their hosts' turns."""

    def __init__(self, crawler: Crawler, turns: HostTurns) -> None:
        spider: Any = crawler.spider
        self._crawler, self._turns, self._spider = crawler, turns, spider
        self._cache = ResourceCache(spider.clock)

    async def ask(self, claim: Claim, accept: str) -> Resource:
        """Asks for a URL, from the cache if that has it. Raises PageError for what may not be asked."""
        await self._turns.meet(claim.host)
        if why := self._refusal(claim):
            raise PageError(why)
        if kept := self._cache.get(claim.url, accept):
            return kept
        await self._turns.take(claim.host)
        sending = asyncio.ensure_future(self._send(claim, accept))
        try:
            fetch = await asyncio.shield(sending)
        except asyncio.CancelledError:
            await asyncio.wait([sending])  # its host has its turn until it ends
            raise
        resource = Resource(fetch.status, fetch.headers, fetch.body)
        self._cache.put(claim.url, accept, resource)
        return resource

    def _refusal(self, claim: Claim) -> str:
        """Says why a URL may not be asked for the page that names it, '' where it may."""
        url, crawl = claim.url, self._spider.crawl
        if not self._may_ask_host(host_of(claim.referrer), claim.host):
            return "another host"
        if crawl.permissions.is_removed(url):
            return "removed"
        login = crawl.discovery.sites.logins.get(claim.host)
        if find_trap(url, _ANY_TYPE) or (login and login.refusal(url)):
            return "a trap"
        if not self._turns.may_ask(claim.host):
            return "its host is not to be asked now"
        return "robots.txt" if crawl.permissions.refusal(claim.host, url) is State.DISALLOWED else ""

    def _may_ask_host(self, page: str, host: str) -> bool:
        """Tells whether a page of one host may lead to requests to another.

        What is behind a login goes to nobody else. No page of a stranger's reaches what the operator has
        named, as hosts of his network; his own sites may share a host for their scripts.
        """
        if page == host:
            return True
        logins, own = self._spider.logins, self._spider.own_hosts
        if logins.find(page) or logins.find(host) or not self._turns.may_ask(host):
            return False
        name, port = host_name(f"{host}/"), port_of(f"{host}/")
        is_named = self._spider.private_hosts.allows(name, port) or host in self._spider.proxies.by_host
        return not is_named or (
            own.allows(name, port) and own.allows(host_name(f"{page}/"), port_of(f"{page}/"))
        )

    async def _send(self, claim: Claim, accept: str) -> Fetch:
        """Sends one request in the host's turn, which ends with it. Raises PageError without an answer."""
        assert self._crawler.engine
        request = build_request(claim, self._spider)
        request.headers["Accept"] = accept
        request.meta["download_maxsize"] = MAX_BYTES
        try:
            fetch = fetch_from_response(await self._crawler.engine.download_async(request))
        except Exception:
            failure = Failure()  # type: ignore[no-untyped-call]
            failure.request = request  # type: ignore[attr-defined]  # as Scrapy does
            fetch = fetch_from_failure(failure)
        finally:
            self._spider.in_flight.release(request)
        self._spider.crawl.record_response(fetch)
        self._spider.crawl.recorder.add_robots(fetch)
        if not fetch.status:
            raise PageError(fetch.error or "no answer")
        return _unpack(fetch, request.meta.get(UNPACKED, 0))


def _unpack(fetch: Fetch, size: int) -> Fetch:
    """Unpacks the body of an answer. Raises PageError for one that is too large."""
    if not size or fetch.status not in SUCCESS:
        return fetch
    return replace(fetch, body=decompress(fetch.body, MAX_BYTES).body, unpacked=0)
