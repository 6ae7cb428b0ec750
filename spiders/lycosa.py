"""Defines the base of all spiders that crawl: turns Scrapy's responses and failures into visits."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from threading import Thread
from typing import Any, ClassVar, Self

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.http import Response
from twisted.python.failure import Failure

from engine import VERSION
from engine.alerts import CrawlWatch
from engine.audience import read_audience_rules
from engine.config import Config, load_config
from engine.crawl import LOGIN_FAILED, Crawl, Limits, classify_response
from engine.database import open_clock, open_run_locks
from engine.errors import EngineError
from engine.folder import OF_DATABASE, FreeSpace, explain_failure
from engine.frontier import Sites, build_sites, open_pauses
from engine.middleware import (
    DnsLookup,
    build_request,
    describe_nameless,
    fetch_from_failure,
    fetch_from_response,
    find_source_addresses,
)
from engine.model import Page, Purpose, Visit
from engine.monitor import ALARM
from engine.plugins import require_settings
from engine.ranking import Ranking, read_ranking
from engine.render import require_rendering
from engine.responses import open_kept_responses
from engine.robots import AGENT, RobotsState, precompile_rules
from engine.store import Store
from engine.workers import ReaderPool, Tesseract, check_memory, find_tesseract
from spiders.arguments import ARGUMENTS, build_limits, check_arguments, parse_flag
from spiders.network import NetworkSpider
from spiders.seeds import build_own_site, build_root_set

logger = logging.getLogger("lycosa")
HOOKS = ("extract", "links", "items")
FINAL = ("start", "parse", "parse_robots", "errback", "from_crawler")  # by which a visit is never lost
LONG_ROBOTS = 16 * 1024  # bytes, read in 10 ms; what is longer, in up to a second, is read in a thread


class LycosaSpider(NetworkSpider):
    """Crawls sites; all decisions are those of `crawl` (engine.crawl.Crawl).

    An own spider has a name, and may have start_urls and allowed_domains; without start_urls it crawls the
    sites of crawl.toml. What it may override are the hooks (docs/extending.md).
    """

    allowed_domains: ClassVar[list[str]] = []
    own_arguments: ClassVar[Sequence[str]] = ()  # of `-a NAME=VALUE`, which become attributes, as Scrapy's do
    own_hooks: frozenset[str]
    ranking: Ranking
    tesseract: Tesseract | None  # reads scanned pages, where the operator wants it
    clock: Callable[[], float]
    crawl: Crawl
    alerts: CrawlWatch
    resources: ExitStack
    readers: ReaderPool

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **arguments: str) -> Self:
        """Opens the data folder and the frontier. Raises EngineError for the operator's mistakes."""
        check_memory()
        spider = super().from_crawler(crawler)
        require_settings(crawler.settings)
        spider.own_hooks = cls.find_own_hooks()
        config = load_config(crawler.settings)
        spider.ranking = read_ranking(config.ranking)
        spider.tesseract = find_tesseract(config.ocr)
        spider.take_own(arguments)
        site = build_own_site(spider.start_urls, cls.allowed_domains)
        root = build_root_set(config, arguments, site)
        dynamic, rules = config.limits.exclude_dynamic, read_audience_rules(config)
        sites = build_sites(root, config.aliases, dynamic, config.types, rules, config.logins)
        _require_contact(sites, config)
        if sites.renders:
            require_rendering()
        if parse_flag(arguments, "feeds") and not sites.feeds:
            raise EngineError('-a feeds=1: no [[site]] of crawl.toml has feeds = ["https://..."]')
        disk_space = FreeSpace(config.data_dir, config.limits.free_bytes)
        disk_space.require()
        spider.open_network(config, sites.own_hosts)
        spider._open_crawl(
            sites, build_limits(arguments, config.limits, disk_space), fresh=parse_flag(arguments, "fresh")
        )
        if sites.others:
            Thread(target=_warn_of_nameless, daemon=True).start()  # a lookup may take half a minute
        crawler.signals.connect(spider.check_settings, signals.spider_opened)
        crawler.signals.connect(spider.close_folder, signals.spider_closed)
        for failing in (signals.item_error, signals.spider_error):
            crawler.signals.connect(spider.record_failure, failing)
        return spider

    def take_own(self, arguments: Mapping[str, str]) -> None:
        """Sets the spider's own arguments as attributes. Raises EngineError for one that nobody knows, and
        for own ones by names that are taken.
        """
        own, declared = self.own_arguments, (base.__dict__ for base in LycosaSpider.__mro__)
        names = {name for of in declared for name in (*of, *of.get("__annotations__", ()))}
        if taken := [name for name in own if name in names or name in ARGUMENTS or name in vars(self)]:
            raise EngineError(
                f"spider {self.name!r}: own_arguments has {taken[0]!r}, which is taken; name it otherwise"
            )
        check_arguments(arguments, own)
        vars(self).update({name: arguments[name] for name in own if name in arguments})

    @classmethod
    def find_own_hooks(cls) -> frozenset[str]:
        """Finds the hooks that a spider overrides. Raises EngineError where it overrides what is no hook."""
        classes = cls.__mro__[: cls.__mro__.index(LycosaSpider)]
        own = frozenset(name for base in classes for name in vars(base))
        if taken := sorted(own.intersection(FINAL)):
            raise EngineError(
                f"spider {cls.name!r} has a {taken[0]}() of its own, which would lose pages; write "
                f"{', '.join(f'{name}(page, response)' for name in HOOKS)} instead: docs/extending.md"
            )
        return own.intersection(HOOKS)

    def _open_crawl(self, sites: Sites, limits: Limits, *, fresh: bool) -> None:
        """Opens the data folder and the crawl; `fresh`: without what earlier runs stored."""
        folder = self.config.data_dir
        self.resources = ExitStack()
        locks = self.resources.enter_context(closing(open_run_locks(self.config.database)))
        store = self.resources.enter_context(closing(Store(self.config.database)))
        self.clock = open_clock(self.config.database, store.engine)
        if fresh:
            with locks.lock_all("a crawl that begins afresh"):
                store.clear(self.clock())
        self.crawl = Crawl(store, sites, limits, self.clock, policy=self.config.robots, locks=locks)
        self.crawl.open(DnsLookup(self.proxies.by_host))
        self.crawl.keep_journal(folder)
        if self.config.keep_responses:
            run = self.crawl.run
            software = f"Lycosa/{VERSION}"
            run.responses = open_kept_responses(store.engine, folder, run.id, run.journal, software)
        self.alerts = CrawlWatch(
            self.config,
            self.crawl.frontier,
            lambda: self.crawl.discovery.sites,
            self.crawl.clock,
            lambda: self.logins.outcomes,
        )
        self.crawl.frontier.paused = open_pauses(self.config.database).follow(store.engine)
        self.crawl.recorder.open(folder, self.crawl.run.round.number, self.config.request_log_days, ALARM)

    def extract(self, page: Page, response: Response) -> Page:
        """Returns the page to be stored and indexed, as it is read out of the response; a hook."""
        return page

    def links(self, page: Page, response: Response) -> Iterable[str]:
        """Returns the URLs to follow, relative ones too; a hook."""
        return (link.url for link in page.links)

    def items(self, page: Page, response: Response) -> Iterable[Any]:
        """Yields items for own pipelines and for -o, none of which is searched; a hook."""
        return ()

    def robots_state(self, host: str) -> RobotsState | None:
        """Returns what a host's robots.txt says, None where that is not known."""
        return self.crawl.frontier.host_queues.robots(host)

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
        if fetch.error == LOGIN_FAILED:
            self.crawl.give_back(fetch.claim, LOGIN_FAILED)
        elif fetch.claim.kind is Purpose.ROBOTS:
            self.crawl.record_robots(fetch)
        else:
            self.crawl.record_response(fetch)
            yield classify_response(fetch)

    def check_settings(self) -> None:
        """Ends a crawl one of whose gates an add-on has switched off: Scrapy loads them last."""
        try:
            require_settings(self.settings)
        except EngineError as error:
            self.fail(error)

    def record_failure(self, failure: Failure, item: Any = None) -> None:
        """Ends the crawl for a visit that was lost on its way: else it would wait for it forever.

        An own `item` that its pipelines failed at is Scrapy's to count.
        """
        if item is None or isinstance(item, Visit):
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
        if self.crawl.run.responses:
            self.crawl.run.responses.close()
        self.crawl.run.journal.close()
        self.crawl.recorder.close()
        self.resources.close()


def _warn_of_nameless() -> None:
    """Warns of addresses by which owners of sites cannot tell who crawls."""
    for sentence in describe_nameless(find_source_addresses()):
        logger.warning(sentence)


def _require_contact(sites: Sites, config: Config) -> None:
    """Requires a contact, so that owners of other sites can reach the operator (requirement 68)."""
    if sites.others and not config.contact:
        raise EngineError(
            f"{sites.others[0]} is not your own site: tell its owner who crawls, "
            "with -s CONTACT=you@example.org or contact in crawl.toml (or say -a own=1)"
        )
