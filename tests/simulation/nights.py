"""Five hosts that are crawled night after night, on a fake clock; any of them may die, and come back."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import sqlalchemy as sa

from engine.config import SiteConfig
from engine.crawl import Crawl, Limits
from engine.frontier.sites import build_sites
from engine.store.page_store import Store
from engine.store.wanted import queue_url
from tests.crawling import Clock, Web, step
from tests.engine.crawl.farm import FakeRunLocks

DAY = 86_400.0
PAGES = 6
A, B, C, D, E = (f"http://{name}.example" for name in "abcde")
HOSTS = (A, B, C, D, E)
STEPS = 20_000  # of one night; a crawl that takes more does not end


@dataclass
class Nights:
    """Five hosts, one crawl a night. `down`: hosts that refuse connections; `asked`: pages of this night."""

    folder: Path
    hosts: tuple[str, ...] = HOSTS
    web: Web = field(default_factory=lambda: Web({}))
    clock: Clock = field(default_factory=Clock)
    living: set[int] = field(default_factory=set)
    limits: Limits = Limits()

    def __post_init__(self) -> None:
        for host in self.hosts:
            self.set_up(host)

    def set_up(self, host: str) -> None:
        """A host that lives, with a start page that links to all others."""
        pages = [f"{host}/{n}" for n in range(1, PAGES)]
        self.web.answers |= {f"{host}/": pages} | {page: [] for page in pages}
        self.web.robots = {**self.web.robots, host: (404, b"")}

    def take_down(self, host: str) -> None:
        """From now on it answers nothing."""
        self.web.answers |= {url: 0 for url in self.web.answers if url.startswith(f"{host}/")}
        self.web.robots = {**self.web.robots, host: (0, b"")}

    def begin(self) -> Crawl:
        """`scrapy crawl web`."""
        sites = build_sites([SiteConfig(seeds=tuple(f"{host}/" for host in self.hosts))])
        locks = FakeRunLocks(self.living)
        crawl = Crawl(Store(self.folder), sites, self.limits, self.clock, lambda: 0.0, locks=locks)
        crawl.open()
        return crawl

    def end(self, crawl: Crawl, reason: str = "finished") -> None:
        """The process ends; '' is a kill, of which the log hears nothing."""
        if reason:
            crawl.close(reason)
        self.living.discard(crawl.run.id)
        crawl.store.close()

    def night(self, meanwhile: Callable[[int], None] = lambda step: None) -> list[str]:
        """A whole crawl, a day after the last; the pages that were asked."""
        self.dawn()
        crawl = self.begin()
        self.finish(crawl, meanwhile)
        return self.web.asked()

    def dawn(self) -> None:
        """A day has gone by."""
        self.clock.now += DAY
        self.web.log.clear()

    def finish(self, crawl: Crawl, meanwhile: Callable[[int], None] = lambda step: None) -> None:
        """To the end of the crawl, which has one."""
        for number in range(STEPS):
            meanwhile(number)
            if not step(crawl, self.web, self.clock):
                self.end(crawl)
                return
        raise AssertionError("the crawl does not end")

    def submit(self, url: str) -> None:
        """`scrapy submit`."""
        self.web.answers.setdefault(url, [])
        self.change(lambda connection: queue_url(connection, url, self.clock.now))

    def change(self, act: Callable[[sa.Connection], object]) -> None:
        """What the operator does between two crawls."""
        with closing(Store(self.folder)) as store, store.engine.begin() as connection:
            act(connection)


def pages(*hosts: str) -> set[str]:
    """All that these hosts have."""
    return {f"{host}/{n or ''}" for host in hosts for n in range(PAGES)}
