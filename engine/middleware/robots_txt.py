"""Refuses requests that the host's robots.txt does not allow: the last check before the network."""

from typing import Any, Self

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response

from engine.errors import PageError
from engine.middleware.address_guard import PrivateHosts
from engine.model import Claim, Purpose
from engine.robots import AGENT
from engine.url import are_twins, canonicalize, find_trap, host_name, host_of, is_local, port_of

ASTRAY = "redirect that is not followed"  # its robots.txt cannot be had: what it permits is not known


class RobotsTxtMiddleware:
    """Checks every request, whoever made it; the frontier asks the rules before it gives a URL out."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Builds it for a crawler, as Scrapy does."""
        return cls(crawler)

    def process_request(self, request: Request) -> None:
        """Raises IgnoreRequest for a URL that is not allowed, or whose rules are not known.

        PageError for a robots.txt that is said to be where it is not looked for.
        """
        claim = request.meta.get("claim")
        spider: Any = self._crawler.spider
        if claim and claim.kind is Purpose.ROBOTS:
            self._count("request_count")
            if claim.hops and is_foreign_redirect(claim, spider.named_hosts, spider.own_hosts):
                raise PageError(ASTRAY)
            return
        url = claim.url if claim else canonicalize(request.url)
        if request.meta.get("proxy"):
            raise IgnoreRequest("a proxy would get round the address guard")
        robots = spider.robots_state(host_of(url))
        if robots is None or not robots.allowed(AGENT, url):
            raise IgnoreRequest(f"robots.txt: {url}")

    def process_response(self, request: Request, response: Response) -> Response:
        """Counts the answers to robots.txt as Scrapy does."""
        claim = request.meta.get("claim")
        if claim and claim.kind is Purpose.ROBOTS:
            self._count("response_count")
            self._count(f"response_status_count/{response.status}")
        return response

    def _count(self, what: str) -> None:
        assert self._crawler.stats
        self._crawler.stats.inc_value(f"robotstxt/{what}")


def is_foreign_redirect(hop: Claim, named: PrivateHosts, own: PrivateHosts) -> bool:
    """Tells whether a robots.txt is redirected to where it must not be looked for (RFC 9309, 2.3.1.2).

    Whoever redirects chooses what we ask, of whom: of its own host what it likes, but for buttons; of others
    only what we might ask anyway, and nothing of the operator's network, whatever he allows otherwise
    (`named`). His `own` hosts are asked for their robots.txt in any case: they may share one.
    """
    host = host_of(hop.url)
    if host == hop.host:
        return find_trap(hop.url) == "side-effect"
    twins = are_twins(host, hop.host)
    name = host_name(hop.url)
    same_name = twins and name == host_name(f"{hop.host}/")
    both_own = _includes(own, hop.host) and _includes(own, host)
    if not (same_name or both_own) and (is_local(name) or _includes(named, host)):
        return True
    return find_trap(hop.url) == "side-effect" if twins else hop.url != f"{host}/robots.txt"


def _includes(hosts: PrivateHosts, host: str) -> bool:
    return hosts.allows(host_name(f"{host}/"), port_of(f"{host}/"))
