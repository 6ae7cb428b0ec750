"""Reaches the hosts of a company's network: by a login, by a proxy. All others are reached as ever."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Self

from scrapy import Request
from scrapy.core.downloader.handlers.http11 import TunnelError
from scrapy.exceptions import CannotResolveHostError, IgnoreRequest
from scrapy.http import Response

from engine.config import Proxy
from engine.errors import PageError
from engine.login import read_proxy_credentials
from engine.middleware.address_guard import PrivateHosts
from engine.middleware.rate_limiter import RateLimitedDownloader
from engine.url import canonicalize, host_name, host_of, is_local, port_of

PROXY_REFUSES = "its proxy refuses us"
_TOLD = b"Proxy-Authorization"
ANY_PORT = 0  # what Twisted asks the resolver for when it connects for a tunnel


@dataclass(frozen=True, slots=True)
class ProxyRoute:
    """How a proxy is reached; `credentials`: what it is told, '' where it asks nobody."""

    url: str
    credentials: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Proxies:
    """The proxies by the hosts that are reached by them, and the proxies' own addresses."""

    by_host: Mapping[str, ProxyRoute]
    addresses: frozenset[tuple[str, int]]

    @classmethod
    def build(cls, proxies: Iterable[Proxy]) -> Self:
        """Builds them from those of crawl.toml. Raises EngineError where a secret cannot be had."""
        routes = {proxy: ProxyRoute(proxy.url, read_proxy_credentials(proxy)) for proxy in proxies}
        by_host = {host: route for proxy, route in routes.items() for host in proxy.hosts}
        return cls(by_host, frozenset(proxy.address for proxy in routes))

    def allows(self, name: str, port: int) -> bool:
        """Tells whether this is a proxy, whose address may be private: the operator has named it."""
        bare = name.strip("[]").lower()
        return any(bare == one.strip("[]") and port in (ANY_PORT, at) for one, at in self.addresses)


class PrivateSiteDownloader(RateLimitedDownloader):
    """Downloads behind a host's login and its proxy."""

    async def download_request(self, request: Request) -> Response:
        """Downloads as Scrapy does.

        Raises PageError for a login or a proxy that refuses, IgnoreRequest for a URL that would end it, and
        CannotResolveHostError for an address that is not allowed.
        """
        spider: Any = self.crawler.spider
        claim = request.meta.get("claim")
        url = claim.url if claim else canonicalize(request.url)
        host = host_of(url)
        download = super().download_request

        async def send(one: Request) -> Response:
            if not (route := find_proxy(host, spider.proxies, spider.private_hosts)):
                return await download(one)
            one.meta["proxy"] = route.url
            if route.credentials:
                one.headers[_TOLD] = route.credentials
            try:
                response = await download(one)
            except TunnelError as error:
                raise PageError(PROXY_REFUSES) from error
            finally:
                one.headers.pop(_TOLD, None)
            if response.status == HTTPStatus.PROXY_AUTHENTICATION_REQUIRED:  # says the proxy, not the host
                raise PageError(PROXY_REFUSES)
            response.ip_address = None  # it is the proxy's, and says nothing of the host
            return response

        async def send_again(one: Request) -> Response:
            spider.in_flight.release(one)  # of an answer before this one, which was no page
            one.meta.pop("received", None)
            try:
                return await send(one)
            finally:
                if one is not request:
                    spider.in_flight.release(one)

        session = spider.logins.find(host)
        if session is None or (claim and claim.host != host):  # for another host's sake: a robots.txt
            return await send(request)
        if why := session.login.refusal(url):
            raise IgnoreRequest(f"{why}: {url}")
        response: Response = await session.fetch(request, send_again)
        return response


def find_proxy(host: str, proxies: Proxies, private: PrivateHosts) -> ProxyRoute | None:
    """Finds the proxy by which a host is reached, None for none. Raises CannotResolveHostError.

    Where a name leads behind the proxy nobody here can see. So one that is of no public network, and a proxy
    that is asked as if it were a site, are refused unless the operator allows them by name.
    """
    name, port = host_name(f"{host}/"), port_of(f"{host}/")
    proxy = proxies.by_host.get(host)
    is_hidden = is_local(name) if proxy else proxies.allows(name, port)
    if is_hidden and not private.allows(name, port):
        raise CannotResolveHostError(f"{host} is not allowed")
    return proxy
