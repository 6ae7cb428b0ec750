"""Several crawls on one data folder, on one fake clock, and the web that they share."""

import random
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from engine.config import SiteConfig
from engine.crawl import Crawl
from engine.frontier import Lookup, no_lookup
from engine.frontier.sites import build_sites
from engine.store import Store
from tests.crawling import Clock, Web, step

HOSTS = 12
SEEDS = tuple(f"http://h{n}.example/" for n in range(HOSTS))


@dataclass
class FakeRunLocks:
    """The locks of one process; `living` is shared by all."""

    living: set[int]
    own: int = 0

    def lock(self, run: int) -> None:
        self.own = run
        self.living.add(run)

    def is_locked(self, run: int) -> bool:
        return run in self.living


@dataclass
class Farm:
    """Processes on one folder, and the web that they crawl; `asked` has who asked which host when."""

    folder: Path
    web: Web
    seeds: tuple[str, ...] = SEEDS
    profile: str = "polite"
    look_up: Lookup = no_lookup
    clock: Clock = field(default_factory=Clock)
    living: set[int] = field(default_factory=set)
    asked: dict[str, list[tuple[float, int]]] = field(default_factory=lambda: defaultdict(list))
    crawls: list[tuple[Crawl, FakeRunLocks]] = field(default_factory=list)

    def start(self) -> Crawl:
        """One more process."""
        sites = build_sites([SiteConfig(seeds=self.seeds, profile=self.profile, scope="any")])
        locks = FakeRunLocks(self.living)
        crawl = Crawl(Store(self.folder), sites, clock=self.clock, draw=lambda: 0.0, locks=locks)
        crawl.open(self.look_up)
        self.crawls.append((crawl, locks))
        return crawl

    def kill(self, crawl: Crawl) -> None:
        """It does nothing any more; what it had not committed is lost."""
        locks = next(locks for one, locks in self.crawls if one is crawl)
        self.crawls.remove((crawl, locks))
        self.living.discard(locks.own)

    def step(self, crawl: Crawl) -> None:
        """One claim and its answer; a nap is left out while another process has something to do."""
        before, now = len(self.web.log), self.clock.now
        more = step(crawl, self.web, self.clock)
        for at, url in self.web.log[before:]:
            self.asked[url.split("/")[2]].append((at, crawl.run.id))
        if len(self.web.log) == before:
            self.clock.now = now + 0.05
        if not more:
            crawl.close("finished")
            self.kill(crawl)

    def run(self, draw: random.Random) -> None:
        """All of them to their ends, in any order of steps."""
        for _ in range(100_000):
            if not self.crawls:
                return
            self.step(draw.choice(self.crawls)[0])
        raise AssertionError("the crawls do not end")


def web_of(hosts: int = HOSTS, pages: int = 6) -> Web:
    """Hosts whose pages link to each other's and to their own."""
    answers: dict[str, int | list[str]] = {}
    for host in range(hosts):
        for page in range(pages):
            own = [f"http://h{host}.example/{n}" for n in range(1, pages)]
            other = f"http://h{(host + page) % hosts}.example/from/{host}/{page}"
            answers[f"http://h{host}.example/{page or ''}"] = [*own, other]
            answers[other] = [f"http://new{host}.example/"]
        answers[f"http://new{host}.example/"] = [f"http://new{host}.example/end"]
        answers[f"http://new{host}.example/end"] = 404
    return Web(answers)
