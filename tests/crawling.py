"""A crawl without Scrapy, over a web that is a dict, on a clock that only waiting moves."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from engine.config import SiteConfig
from engine.crawl import Crawl, Limits
from engine.frontier.sites import sites_of
from engine.judge import judge
from engine.page import Claim, Fetch, Kind, Link, Page, Reading, Section, State
from engine.robots import Directives
from engine.store.packing import pack
from engine.store.pages import Store

EVERYTHING = Limits()
EPOCH = 1_800_000_000.0


@dataclass
class Clock:
    """Seconds since 1970, moved by hand."""

    now: float = EPOCH

    def __call__(self) -> float:
        return self.now


@dataclass
class Web:
    """What each URL answers: a status, or the URLs that a page links to; `log` keeps (time, URL)."""

    answers: dict[str, int | list[str]]
    headers: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    robots: Mapping[str, tuple[int, bytes]] = field(default_factory=dict)
    seconds: float = 0.1
    log: list[tuple[float, str]] = field(default_factory=list)

    def fetch(self, claim: Claim, clock: Clock) -> tuple[Fetch, Reading | None]:
        """One exchange, which takes its time."""
        self.log.append((clock.now, claim.url))
        started, clock.now = clock.now, clock.now + self.seconds
        headers = self.headers.get(claim.url, [])
        if claim.kind is Kind.ROBOTS:
            status, body = self.robots.get(claim.host, (404, b""))
            return Fetch(claim, status, headers, body, at=started, seconds=self.seconds), None
        answer = self.answers.get(claim.url, 404)
        status = answer if isinstance(answer, int) else 200
        error = "connection refused" if status == 0 else ""
        fetch = Fetch(claim, status, headers, b"x", error, started, self.seconds)
        return fetch, None if isinstance(answer, int) else reading(claim.url, answer)

    def asked(self) -> list[str]:
        """The URLs in the order of their requests, robots.txt left out."""
        return [url for _, url in self.log if not url.endswith("/robots.txt")]


def reading(url: str, links: list[str]) -> Reading:
    """What a page is whose text is its URL."""
    text = f"text of {url}"
    page = Page(
        url, url, language="en", sections=[Section("", "", text)], links=[Link(to, to) for to in links]
    )
    return Reading("en", "text/html", Directives(), text.encode(), links, pack(page))


def crawl_of(folder: Path, clock: Clock, limits: Limits = EVERYTHING, **site: object) -> Crawl:
    """An opened crawl; `site` are the fields of SiteConfig."""
    site = {"seeds": ("http://h.example/",), **site}
    sites = sites_of([SiteConfig(**site)])  # type: ignore[arg-type]
    crawl = Crawl(Store(folder), sites, limits, clock, draw=lambda: 0.0)
    crawl.open()
    return crawl


def step(crawl: Crawl, web: Web, clock: Clock) -> bool:
    """One claim and its answer, or a nap; False when the crawl has come to its end."""
    claim = crawl.claim()
    if claim is None:
        if crawl.finished():
            return False
        clock.now += crawl.wait() or 0.0
        return True
    fetch, read = web.fetch(claim, clock)
    if claim.kind is Kind.ROBOTS:
        while hop := crawl.robots_answered(fetch):
            fetch, _ = web.fetch(hop, clock)
        return True
    crawl.answered(fetch)
    visit = judge(fetch)
    if read and visit.state is State.STORED:
        visit = replace(visit, reading=read)
    crawl.finish(visit)
    return True


def run(crawl: Crawl, web: Web, clock: Clock) -> None:
    """To the end."""
    while step(crawl, web, clock):
        pass
    crawl.close("finished")
