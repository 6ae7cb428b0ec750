"""The last line before the network: nothing is sent that the host's robots.txt does not allow."""

from typing import Any, Self

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import IgnoreRequest

from engine.page import Kind
from engine.robots import AGENT
from engine.url import canonicalize, host_of


class RobotsGate:
    """The frontier asks the rules before it gives a URL out; this holds whoever made the request."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Scrapy's way to make one."""
        return cls(crawler)

    def process_request(self, request: Request) -> None:
        """Raises IgnoreRequest for a URL that is not allowed, or whose rules are not known."""
        claim = request.meta.get("claim")
        if claim and claim.kind is Kind.ROBOTS:
            return
        spider: Any = self._crawler.spider
        url = claim.url if claim else canonicalize(request.url)
        robots = spider.crawl.frontier.robots(host_of(url))
        if robots is None or not robots.allowed(AGENT, url):
            raise IgnoreRequest(f"robots.txt: {url}")
