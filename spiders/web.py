"""Turns Scrapy's responses and failures into visits."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, closing
from typing import Any, Self

from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.http import Response
from twisted.python.failure import Failure

from engine.config import Config, load_config
from engine.crawl import Crawl, Limits, classify_response, keep_journal
from engine.errors import EngineError
from engine.folder import OF_DATABASE, FreeSpace, RunLocks, explain_failure
from engine.frontier import DomainLimits, Sites, build_sites
from engine.index.schema import read_ranking
from engine.linkgraph import VotePivots
from engine.middleware import (
    DnsLookup,
    Identity,
    InFlightBytes,
    PrivateHosts,
    RateLimiter,
    build_request,
    fetch_from_failure,
    fetch_from_response,
)
from engine.model import Purpose, Visit
from engine.robots import AGENT, precompile_rules
from engine.store import Store, write_transaction
from engine.workers import check_memory
from spiders.seeds import build_root_set, parse_flag, parse_number

LIMITS = ("max_pages", "max_depth", "host_pages")
LONG_ROBOTS = 16 * 1024  # bytes, read in 10 ms; what is longer, in up to a second, is read in a thread
ARGUMENTS = ("seeds", "scope", "include", "exclude", "own", "profile", *LIMITS, "revisit", "fresh")


class WebSpider(Spider):
    """Crawls the operator's sites; all decisions are those of `crawl` (engine.crawl.Crawl)."""

    name = "web"
    config: Config
    pivots: VotePivots
    crawl: Crawl
    identity: Identity
    own_hosts: PrivateHosts
    named_hosts: PrivateHosts
    private_hosts: PrivateHosts
    rate_limiter: RateLimiter
    in_flight: InFlightBytes
    resources: ExitStack

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **arguments: str) -> Self:
        """Opens the data folder and the frontier. Raises EngineError for the operator's mistakes."""
        check_memory()
        spider = super().from_crawler(crawler)
        spider.config = load_config(crawler.settings)
        spider.pivots = read_ranking(spider.config.ranking).pivots
        _check_arguments(arguments)
        bounds = spider.config.limits
        root, types = build_root_set(spider.config, arguments), spider.config.types
        sites = build_sites(root, spider.config.aliases, bounds.exclude_dynamic, types)
        _require_contact(sites, spider.config)
        room = FreeSpace(spider.config.data_dir, bounds.free_bytes)
        room.require()
        limits = Limits(
            pages=parse_number(arguments, "max_pages"),
            depth=parse_number(arguments, "max_depth") or bounds.max_depth,
            queries=bounds.queries_per_path,
            host_pages=parse_number(arguments, "host_pages") or bounds.host_pages,
            domain=DomainLimits(bounds.domain_hosts, bounds.domain_pages, bounds.domain_queued),
            host_pages_per_day=bounds.host_pages_per_day,
            bytes_per_second=bounds.bytes_per_second,
            quiet_hours=bounds.quiet_hours,
            exact_seen=bounds.exact_seen,
            host_bytes=bounds.host_bytes,
            disk_space=room,
            due_only=parse_flag(arguments, "revisit"),
        )
        spider.own_hosts = PrivateHosts.build(sites.own_hosts, ())
        spider.named_hosts = PrivateHosts.build((), spider.config.allow_private)
        spider.private_hosts = PrivateHosts.build(sites.own_hosts, spider.config.allow_private)
        spider.in_flight = InFlightBytes()
        spider.rate_limiter = RateLimiter(bounds, sites.own_hosts)
        spider.identity = Identity(spider.config.contact, spider.config.public_url, spider.config.types)
        spider.resources = ExitStack()
        locks = spider.resources.enter_context(closing(RunLocks(spider.config.data_dir)))
        store = spider.resources.enter_context(closing(Store(spider.config.data_dir)))
        if parse_flag(arguments, "fresh"):
            with locks.lock_all():
                store.clear(time.time())
        spider.crawl = Crawl(store, sites, limits, policy=spider.config.robots, locks=locks)
        spider.crawl.frontier.set_lookup(DnsLookup())
        spider.crawl.open()
        with write_transaction(store.engine) as connection:
            run, frontier = spider.crawl.run, spider.crawl.frontier
            keep_journal(connection, run, frontier, spider.config.data_dir, time.time())
        crawler.signals.connect(spider.close_folder, signals.spider_closed)
        for failing in (signals.item_error, signals.spider_error):
            crawler.signals.connect(spider.record_failure, failing)
        return spider

    async def start(self) -> AsyncIterator[Request]:
        """Yields nothing: the frontier has the seeds."""
        return
        yield  # makes this the generator that Scrapy expects

    def parse(self, response: Response, **kwargs: Any) -> Iterator[Visit]:
        """Ends a page's exchange; its visit goes down the pipelines."""
        fetch = fetch_from_response(response)
        self.crawl.record_response(fetch)
        yield classify_response(fetch)

    async def parse_robots(self, response: Response) -> AsyncIterator[Request]:
        """Handles the answer to GET /robots.txt; requests the next hop of a redirected one."""
        fetch = fetch_from_response(response)
        if len(fetch.body) > LONG_ROBOTS:
            await asyncio.to_thread(precompile_rules, fetch.body, AGENT)
        self.in_flight.release(response.request)
        if hop := self.crawl.record_robots(fetch):
            yield build_request(hop, self)

    def errback(self, failure: Failure) -> Iterator[Visit]:
        """Handles an exchange without an answer."""
        fetch = fetch_from_failure(failure)
        self.in_flight.release(failure.request)  # type: ignore[attr-defined]  # Scrapy puts it there
        if fetch.claim.kind is Purpose.ROBOTS:
            self.crawl.record_robots(fetch)
        else:
            self.crawl.record_response(fetch)
            yield classify_response(fetch)

    def record_failure(self, failure: Failure) -> None:
        """Ends the crawl for a visit that was lost on its way: else it would wait for it forever."""
        self.fail(failure.value)  # type: ignore[arg-type]  # an Exception

    def fail(self, error: Exception) -> None:
        """Ends the crawl: its database is damaged, or Lycosa has a fault."""
        if not isinstance(error, (EngineError, *OF_DATABASE)):
            self.logger.error("a bug in Lycosa, or damaged data", exc_info=error)
        self.crawl.error = self.crawl.error or explain_failure(error, writing=True)

    def close_folder(self, reason: str) -> None:
        """Logs the crawl's end, and closes the data folder."""
        try:
            self.crawl.close(reason)
        except Exception as error:
            self.fail(error)
        self.crawl.journal.close()
        self.resources.close()


def _check_arguments(arguments: dict[str, str]) -> None:
    if unknown := [name for name in arguments if name not in ARGUMENTS]:
        raise EngineError(f"-a {unknown[0]}: unknown; write one of {', '.join(ARGUMENTS)}")


def _require_contact(sites: Sites, config: Config) -> None:
    """Requires a contact, so that owners of other sites can reach the operator (requirement 68)."""
    if sites.others and not config.contact:
        raise EngineError(
            f"{sites.others[0]} is not your own site: tell its owner who crawls, "
            "with -s CONTACT=you@example.org or contact in crawl.toml (or say -a own=1)"
        )
