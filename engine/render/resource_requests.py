"""Asks hosts for what pages need while they are rendered: behind each gate that a page itself has passed."""

import asyncio
from dataclasses import replace
from typing import Any

from scrapy.crawler import Crawler
from twisted.python.failure import Failure

from engine.crawl import SUCCESS
from engine.errors import PageError
from engine.middleware import UNPACKED, PrivateHosts, build_request, fetch_from_failure, fetch_from_response
from engine.model import Claim, Fetch, State
from engine.render.host_turns import NOT_NOW, HostTurns
from engine.render.named_hosts import NamedHosts
from engine.render.page_requests import OTHER_HOST
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
        self._named_hosts = NamedHosts(crawler, turns)

    async def ask(self, claim: Claim, accept: str) -> Resource:
        """Asks for a URL, from the cache if that has it. Raises PageError for what may not be asked."""
        if self._is_named(claim):
            if why := self._refuse_before_asking(claim):
                raise PageError(why)
            await self._named_hosts.open(claim.host)
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
        if why := self._refuse_before_asking(claim):
            return why
        if not self._turns.may_ask(claim.host):
            return NOT_NOW
        return "robots.txt" if crawl.permissions.refusal(claim.host, url) is State.DISALLOWED else ""

    def _refuse_before_asking(self, claim: Claim) -> str:
        """Says why a URL may not be asked for whatever its host's robots.txt says, '' where it may."""
        crawl = self._spider.crawl
        if why := self._refuse_host(host_of(claim.referrer), claim):
            return why
        if crawl.permissions.is_removed(claim.url):
            return "removed"
        login = crawl.discovery.sites.logins.get(claim.host)
        return "a trap" if find_trap(claim.url, _ANY_TYPE) or (login and login.refusal(claim.url)) else ""

    def _refuse_host(self, page: str, claim: Claim) -> str:
        """Says why a page of one host may not lead to requests to another, '' where it may.

        What is behind a login goes to nobody else. No page of a stranger's reaches what the operator has
        named, as hosts of his network; his own sites may share a host for their scripts, or name one.
        """
        host, logins, own = claim.host, self._spider.logins, self._spider.own_hosts
        if page == host:
            return ""
        if logins.find(page) or logins.find(host):
            return "another host, and a login"
        is_private = _includes(self._spider.private_hosts, host) or host in self._spider.proxies.by_host
        if is_private and not _includes(own, page):
            return "a host of yours"
        if self._is_named(claim):
            return ""
        if is_private and not _includes(own, host):
            return OTHER_HOST
        return "" if self._turns.may_ask(host) else OTHER_HOST

    def _is_named(self, claim: Claim) -> bool:
        """Tells whether the site of a page names this host for it."""
        return claim.host in self._spider.crawl.discovery.sites.render_hosts(claim.referrer)

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


def _includes(hosts: PrivateHosts, host: str) -> bool:
    return hosts.allows(host_name(f"{host}/"), port_of(f"{host}/"))
