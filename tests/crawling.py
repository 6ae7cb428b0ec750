"""A crawl without Scrapy, over a web that is a dict, on a clock that only waiting moves."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import sqlalchemy as sa

from engine.config import SiteConfig
from engine.crawl import LOGIN_FAILED, Crawl, Limits
from engine.crawl.link_queue import split_sitemap
from engine.crawl.response_policy import classify_response
from engine.database import open_database, urls
from engine.frontier.sites import build_sites
from engine.model.page import LISTS, Claim, Fetch, Link, Page, Purpose, Reading, Section, State
from engine.packing.packing import pack
from engine.robots import Directives, Policy, read_sitemap
from engine.store.page_store import Store

EVERYTHING = Limits()
EPOCH = 1_800_000_000.0  # 15 January 2027, 08:00 UTC
HOST = "http://h.example"


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
    sitemaps: Mapping[str, str] = field(default_factory=dict)
    said: dict[str, dict[str, object]] = field(default_factory=dict)  # more fields of a page's Reading
    addresses: Mapping[str, str] = field(default_factory=dict)  # host -> who answers for it
    seconds: float = 0.1
    missing: int | list[str] = 404  # what all other URLs answer
    usual: dict[str, object] = field(default_factory=dict)  # fields of their Reading
    elsewhere: str = ""  # where they redirect to
    log: list[tuple[float, str]] = field(default_factory=list)

    def fetch(self, claim: Claim, clock: Clock) -> tuple[Fetch, Reading | None]:
        """One exchange, which takes its time."""
        fetch, reading = self._fetch(claim, clock)
        return replace(fetch, address=self.addresses.get(claim.host, "")), reading

    def _fetch(self, claim: Claim, clock: Clock) -> tuple[Fetch, Reading | None]:
        self.log.append((clock.now, claim.url))
        started, clock.now = clock.now, clock.now + self.seconds
        headers = self.headers.get(claim.url, [])
        if self.elsewhere and claim.url not in self.answers:
            headers = [("location", self.elsewhere)]
        if claim.kind is Purpose.ROBOTS:
            status, body = self.robots.get(claim.host, (404, b""))
            return Fetch(claim, status, headers, body, at=started, seconds=self.seconds), None
        if claim.url in self.sitemaps:
            body = self.sitemaps[claim.url].encode()
            return Fetch(claim, 200, headers, body, at=started, seconds=self.seconds), None
        answer = self.answers.get(claim.url, self.missing)
        status = answer if isinstance(answer, int) else 200
        error = "connection refused" if status == 0 else ""
        fetch = Fetch(claim, status, headers, b"x", error, started, self.seconds)
        return fetch, None if isinstance(answer, int) else reading(
            claim.url, answer, **self.said.get(claim.url, self.usual if claim.url not in self.answers else {})
        )

    def asked(self) -> list[str]:
        """The URLs of pages in the order of their requests."""
        return [url for _, url in self.log if not url.endswith(("/robots.txt", "/sitemap.xml"))]


def reading(url: str, links: list[str], **said: object) -> Reading:
    """What a page is whose text is its URL; `said` are fields of Reading."""
    text = f"text of {url}"
    page = Page(
        url, url, language="en", sections=[Section("", "", text)], links=[Link(to, to) for to in links]
    )
    read = Reading("en", "text/html", Directives(), text.encode(), links, pack(page))
    return replace(read, **said)  # type: ignore[arg-type]


def states(folder: Path) -> dict[str, tuple[str, str]]:
    """State and reason of every URL that a crawl knows."""
    engine = open_database(folder)
    with engine.connect() as connection:
        rows = connection.execute(sa.select(urls.c.url, urls.c.state, urls.c.reason)).all()
    engine.dispose()
    return {url: (state, reason) for url, state, reason in rows}


def chain(*paths: str) -> dict[str, int | list[str]]:
    """Pages of one host that link each to the next, the last to the first."""
    whole = [f"{HOST}{path}" for path in paths]
    return {url: [following] for url, following in zip(whole, [*whole[1:], whole[0]], strict=True)}


def crawl_of(
    folder: Path,
    clock: Clock,
    limits: Limits = EVERYTHING,
    policy: Policy = Policy(),
    dynamic: str = "cgi",
    **site: object,
) -> Crawl:
    """An opened crawl; `site` are the fields of SiteConfig."""
    site = {"seeds": ("http://h.example/",), **site}
    sites = build_sites([SiteConfig(**site)], dynamic=dynamic)  # type: ignore[arg-type]
    crawl = Crawl(Store(folder), sites, limits, clock, lambda: 0.0, policy)
    crawl.open()
    return crawl


def step(crawl: Crawl, web: Web, clock: Clock) -> bool:
    """One claim and its answer, or a nap; False when the crawl has come to its end."""
    claim = crawl.claim()
    if claim is None:
        if crawl.is_finished():
            return False
        clock.now += crawl.seconds_to_next() or 0.0
    else:
        answer(crawl, web, clock, claim)
    return True


def answer(crawl: Crawl, web: Web, clock: Clock, claim: Claim) -> None:
    """The answer to a claim, all the way down."""
    fetch, read = web.fetch(claim, clock)
    if fetch.error == LOGIN_FAILED:
        crawl.give_back(claim, fetch.error)
        return
    if claim.kind is Purpose.ROBOTS:
        while hop := crawl.record_robots(fetch):
            fetch, _ = web.fetch(hop, clock)
        return
    crawl.record_response(fetch)
    visit = classify_response(fetch)
    if visit.state is State.STORED and not visit.unchanged:
        if claim.kind in LISTS:
            scope = "any" if claim.kind is Purpose.FEED else "host"
            visit = replace(visit, sitemap=read_sitemap(fetch.body, claim.url, scope=scope))
        elif read:
            visit = crawl.walk.decide(replace(visit, reading=read))
    *first, last = split_sitemap(visit)
    for piece in first:
        crawl.queue_entries(piece)
    crawl.finish(last)


def run(crawl: Crawl, web: Web, clock: Clock) -> None:
    """To the end."""
    while step(crawl, web, clock):
        pass
    crawl.close("finished")
