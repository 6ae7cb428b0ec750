"""The spider: turns Scrapy's responses and failures into visits."""

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
from engine.crawl import Crawl, Limits, judge, keep_journal
from engine.errors import EngineError
from engine.folder import OF_DATABASE, FreeSpace, RunLocks, explain_failure
from engine.frontier import DomainLimits, Sites, sites_of
from engine.index.schema import read_ranking
from engine.linkgraph import VotePivots
from engine.middleware import Brake, Identity, InFlight, Names, PrivateHosts, failed, fetched, request_for
from engine.model import Purpose, Visit
from engine.robots import AGENT, read_ahead
from engine.store import Store, write_transaction
from engine.workers import check_memory
from spiders.seeds import flag, number, root_set

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
    brake: Brake
    in_flight: InFlight
    folder: ExitStack

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **arguments: str) -> Self:
        """Open the data folder and the frontier. Raises EngineError for what the operator got wrong."""
        check_memory()
        spider = super().from_crawler(crawler)
        spider.config = load_config(crawler.settings)
        spider.pivots = read_ranking(spider.config.ranking).pivots
        _known(arguments)
        bounds = spider.config.limits
        root, types = root_set(spider.config, arguments), spider.config.types
        sites = sites_of(root, spider.config.aliases, bounds.dynamic, types)
        _introduced(sites, spider.config)
        room = FreeSpace(spider.config.data_dir, bounds.free_bytes)
        room.require()
        limits = Limits(
            pages=number(arguments, "max_pages"),
            depth=number(arguments, "max_depth") or bounds.depth,
            queries=bounds.queries,
            host_pages=number(arguments, "host_pages") or bounds.host_pages,
            domain=DomainLimits(bounds.domain_hosts, bounds.domain_pages, bounds.domain_queued),
            host_pages_per_day=bounds.host_pages_per_day,
            bytes_per_second=bounds.bytes_per_second,
            quiet=bounds.quiet,
            exact_seen=bounds.exact_seen,
            host_bytes=bounds.host_bytes,
            room=room,
            rested=flag(arguments, "revisit"),
        )
        spider.own_hosts = PrivateHosts.of(sites.own_hosts, ())
        spider.named_hosts = PrivateHosts.of((), spider.config.allow_private)
        spider.private_hosts = PrivateHosts.of(sites.own_hosts, spider.config.allow_private)
        spider.in_flight = InFlight()
        spider.brake = Brake(bounds, sites.own_hosts)
        spider.identity = Identity(spider.config.contact, spider.config.public_url, spider.config.types)
        spider.folder = ExitStack()
        seats = spider.folder.enter_context(closing(RunLocks(spider.config.data_dir)))
        store = spider.folder.enter_context(closing(Store(spider.config.data_dir)))
        if flag(arguments, "fresh"):
            with seats.take_all():
                store.clear(time.time())
        spider.crawl = Crawl(store, sites, limits, policy=spider.config.robots, seats=seats)
        spider.crawl.frontier.look_up(Names())
        spider.crawl.open()
        with write_transaction(store.engine) as connection:
            run, frontier = spider.crawl.run, spider.crawl.frontier
            keep_journal(connection, run, frontier, spider.config.data_dir, time.time())
        crawler.signals.connect(spider.leave, signals.spider_closed)
        for failing in (signals.item_error, signals.spider_error):
            crawler.signals.connect(spider.failing, failing)
        return spider

    async def start(self) -> AsyncIterator[Request]:
        """Nothing to start from: the frontier has the seeds."""
        return
        yield  # makes this the generator that Scrapy expects

    def parse(self, response: Response, **kwargs: Any) -> Iterator[Visit]:
        """A page's answer: its host may be asked again, its visit goes down the pipelines."""
        fetch = fetched(response)
        self.crawl.answered(fetch)
        yield judge(fetch)

    async def parse_robots(self, response: Response) -> AsyncIterator[Request]:
        """The answer to GET /robots.txt; when it was redirected, the next hop."""
        fetch = fetched(response)
        if len(fetch.body) > LONG_ROBOTS:
            await asyncio.to_thread(read_ahead, fetch.body, AGENT)
        self.in_flight.give_back(response.request)
        if hop := self.crawl.robots_answered(fetch):
            yield request_for(hop, self)

    def failed(self, failure: Failure) -> Iterator[Visit]:
        """No answer."""
        fetch = failed(failure)
        self.in_flight.give_back(failure.request)  # type: ignore[attr-defined]  # Scrapy puts it there
        if fetch.claim.kind is Purpose.ROBOTS:
            self.crawl.robots_answered(fetch)
        else:
            self.crawl.answered(fetch)
            yield judge(fetch)

    def failing(self, failure: Failure) -> None:
        """A visit got lost on its way: nothing would end a crawl that waits for it."""
        self.fail(failure.value)  # type: ignore[arg-type]  # an Exception

    def fail(self, error: Exception) -> None:
        """End the crawl: its database is damaged, or Lycosa has a fault."""
        if not isinstance(error, (EngineError, *OF_DATABASE)):
            self.logger.error("a fault of Lycosa's, or damaged data", exc_info=error)
        self.crawl.broken = self.crawl.broken or explain_failure(error, writing=True)

    def leave(self, reason: str) -> None:
        """The crawl's end is logged, the folder given back."""
        try:
            self.crawl.close(reason)
        except Exception as error:
            self.fail(error)
        self.crawl.run.journal.close()
        self.folder.close()


def _known(arguments: dict[str, str]) -> None:
    if unknown := [name for name in arguments if name not in ARGUMENTS]:
        raise EngineError(f"-a {unknown[0]}: unknown; write one of {', '.join(ARGUMENTS)}")


def _introduced(sites: Sites, config: Config) -> None:
    """Owners of other people's sites must be able to reach the operator (requirement 68)."""
    if sites.others and not config.contact:
        raise EngineError(
            f"{sites.others[0]} is not your own site: tell its owner who crawls, "
            "with -s CONTACT=you@example.org or contact in crawl.toml (or say -a own=1)"
        )
