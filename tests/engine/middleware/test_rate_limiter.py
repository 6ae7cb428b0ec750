"""The brake on a fake clock, and before a scheduler that knows no pause, over loopback."""

import asyncio
import heapq
import itertools
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple, Self

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.settings import BaseSettings

from engine.config import LimitsConfig
from engine.frontier.politeness import Pace
from engine.middleware import rate_limiter as module
from engine.middleware.rate_limiter import HOST_BURST, SAVED_SECONDS, RateLimiter
from engine.url import host_of
from tests.running import scrapy
from tests.web.scripted import Answer, anchors, html, prose, scripted_web

A, B, OWN = "http://a.example", "http://b.example", "http://own.example"
TURNS = 50  # of the event loop, after which everybody sleeps who can


class Ask(NamedTuple):
    """A request that comes to the brake at a time, for a host that takes its time to answer."""

    at: float
    host: str
    seconds: float = 0.0


class Timeline:
    """A clock that moves to the next moment at which somebody wakes."""

    def __init__(self) -> None:
        self.now = 1_000.0
        self._asleep: list[tuple[float, int, asyncio.Future[None]]] = []
        self._number = itertools.count()

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        """As asyncio.sleep."""
        woken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._asleep, (self.now + seconds, next(self._number), woken))
        await woken

    async def play(self, tasks: Sequence["asyncio.Task[Any]"]) -> None:
        """Until all are done."""
        while not all(task.done() for task in tasks):
            for _ in range(TURNS):
                await asyncio.sleep(0)
            if self._asleep:
                self.now, _, woken = heapq.heappop(self._asleep)
                woken.set_result(None)


def played(asks: Sequence[Ask], bounds: LimitsConfig) -> list[tuple[float, float]]:
    """When each request begins and ends, in seconds from the first moment, in their own order."""

    async def run() -> list[tuple[float, float]]:
        clock = Timeline()
        brake = RateLimiter(bounds, [OWN], clock, clock.sleep)

        async def exchange(ask: Ask) -> tuple[float, float]:
            await clock.sleep(ask.at)
            async with brake.slot(ask.host):
                start = clock.now
                await clock.sleep(ask.seconds)
                return start - 1_000.0, clock.now - 1_000.0

        tasks = [asyncio.create_task(exchange(ask)) for ask in asks]
        await clock.play(tasks)
        return [task.result() for task in tasks]

    return asyncio.run(run())


@pytest.mark.requirement(264, 280)
@pytest.mark.parametrize(
    ("asks", "starts", "why"),
    [
        ([Ask(0.0, A)], [0.0], "nobody waits for nothing"),
        ([Ask(0.0, A)] * 6, [0.0] * 6, "robots.txt and five redirects are no burst yet"),
        ([Ask(0.0, A)] * 9, [0.0] * 6 + [0.5, 1.0, 1.5], "requirement 280: then two a second"),
        ([Ask(n * 1.0, A) for n in range(20)], [n * 1.0 for n in range(20)], "`brisk` is not slowed"),
        ([Ask(0.0, A, 3.0)] * 3, [0.0, 3.0, 6.0], "requirement 264: a stranger is asked one at a time"),
        ([Ask(0.0, A, 3.0), Ask(0.0, B, 3.0)] * 2, [0.0, 0.0, 3.0, 3.0], "no host waits for another"),
        ([Ask(0.0, OWN, 3.0)] * 9, [0.0] * 9, "an own host has no pause, and many at once"),
        ([Ask(0.0, A)] * 7 + [Ask(9.0, A)] * 7, [0.0] * 6 + [0.5] + [9.0] * 6 + [9.5], "what was saved up"),
        ([Ask(0.0, f"{A}:{n}") for n in range(103)], [0.0] * 101 + [0.001, 0.002], "all hosts together"),
        (
            [Ask(0.0, f"{A}:{n}") for n in range(101)] + [Ask(0.0, A)] * 7,
            [0.0] * 101 + [0.001, 0.002, 0.003, 0.004, 0.005, 0.006, 0.501],
            "a host's turn begins when that of all has come",
        ),
        ([Ask(0.0, OWN)] * 103, [0.0] * 101 + [0.001, 0.002], "requirement 280: own hosts share in that"),
    ],
)
def test_when_requests_begin(asks: list[Ask], starts: list[float], why: str) -> None:
    assert [start for start, _ in played(asks, LimitsConfig())] == pytest.approx(starts), why


@pytest.mark.requirement(280)
@given(
    asks=st.lists(
        st.builds(Ask, st.floats(0, 5), st.sampled_from([A, B, OWN]), st.sampled_from([0.0, 0.1, 2.0])),
        max_size=60,
    ),
    bounds=st.builds(
        LimitsConfig,
        requests_per_second=st.sampled_from([1, 5, 1_000]),
        host_requests_per_second=st.sampled_from([1, 3, 100]),
    ),
)
def test_whatever_comes_the_caps_hold(asks: list[Ask], bounds: LimitsConfig) -> None:
    """As the brake's own words have it."""
    times = played(asks, bounds)
    kept(sorted(start for start, _ in times), bounds.requests_per_second, SAVED_SECONDS)
    for host in (A, B):
        of_host = sorted(time for time, ask in zip(times, asks, strict=True) if ask.host == host)
        rate = bounds.host_requests_per_second
        kept([start for start, _ in of_host], rate, (HOST_BURST - 1) / rate)
        assert all(after[0] >= before[1] for before, after in itertools.pairwise(of_host))


def kept(starts: Sequence[float], rate: float, saved: float) -> None:
    """No stretch of time has more starts than the rate allows, and what was saved up."""
    for first, last in itertools.combinations(range(len(starts)), 2):
        assert last - first <= rate * (starts[last] - starts[first] + saved) + 1e-6


def test_an_exchange_that_fails_gives_its_turn_back() -> None:
    async def run() -> None:
        brake = RateLimiter(LimitsConfig())
        for _ in range(3):
            with pytest.raises(OSError, match="hung up"):
                async with brake.slot(A):
                    raise OSError("hung up")

    asyncio.run(run())


def test_hosts_are_forgotten_but_never_one_that_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory is bounded, and one at a time stays one at a time."""
    monkeypatch.setattr(module, "MAX_HOSTS", 20)
    crowd = [Ask(0.1 + n / 100, f"http://h{n}.example") for n in range(200)]
    times = played([Ask(0.0, A, 60.0), Ask(0.0, A, 60.0), *crowd, Ask(4.0, A)], LimitsConfig())
    assert [times[0][0], times[1][0], times[-1][0]] == [0.0, 60.0, 120.0]

    async def many() -> int:
        brake = RateLimiter(LimitsConfig(requests_per_second=1_000_000))
        for n in range(500):
            async with brake.slot(f"http://h{n}.example"):
                pass
        return len(brake._hosts)

    assert asyncio.run(many()) == 20


class Flood:
    """An extension that is wrong: with it the frontier knows no pause, and asks every host at once."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """As Scrapy builds it."""
        made = cls()
        made._settings = crawler.settings
        crawler.signals.connect(made.spoil, signals.spider_opened)
        return made

    _settings: BaseSettings

    def spoil(self, spider: Any) -> None:
        """Break the pace of every host, and of those to come; note when each request may begin."""
        wrong = Pace(0.0, max_requests=64, owner_timing=False)
        spider.crawl.frontier._pace_of = lambda host: wrong
        for line in spider.crawl.frontier.host_queues.values():
            line.pace = wrong
        spider.rate_limiter = Noted(spider.rate_limiter, self._settings["BEGUN"])


class Noted:
    """A brake, and a file with the moments at which the requests to each host began.

    A server would do for that, but for a machine that holds it up: what comes meanwhile, it sees at once.
    """

    def __init__(self, brake: RateLimiter, file: str) -> None:
        self._brake, self._file = brake, Path(file)

    @asynccontextmanager
    async def slot(self, host: str) -> AsyncIterator[None]:
        """As the brake's."""
        async with self._brake.slot(host):
            begun = time.monotonic()  # before the file is opened: on a busy disk that takes longer than LATE
            with self._file.open("a", encoding="utf-8") as file:
                file.write(f"{host} {begun}\n")
            yield


FLOOD = ("crawl", "web", "-s", f'EXTENSIONS={{"{__name__}.Flood": 500}}')
DELAY = 0.05  # seconds that an answer takes
LATE = 0.01  # seconds between the limiter's clock and the note


def flooded(folder: Path, pages: int, hosts: int, toml: str, *words: str) -> list[list[float]]:
    """When requests to each host began, in a crawl that is out of hand; they are all that the hosts saw."""
    links = anchors(f"/{n}" for n in range(pages))
    webs = [
        scripted_web(lambda path, n=n: Answer(200, html(path, prose(f"{n}{path}") + links).body, delay=DELAY))  # type: ignore[misc]
        for n in range(hosts)
    ]
    sites = [web.__enter__() for web in webs]
    seeds = [site.url("/") for site in sites]
    private = ", ".join(f'"127.0.0.1:{site.port}"' for site in sites)
    text = f'contact = "a@b.example"\nallow_private = [{private}]\n[limits]\n{toml}\n'
    (folder / "crawl.toml").write_text(text, encoding="utf-8")
    try:
        begun = folder / "begun"
        scrapy(folder, *FLOOD, "-s", f"BEGUN={begun}", "-a", f"seeds={','.join(seeds)}", *words)
    finally:
        for web in webs:
            web.__exit__(None, None, None)
    noted = [line.rsplit(" ", 1) for line in begun.read_text(encoding="utf-8").splitlines()]
    starts = [[float(at) for host, at in noted if host == host_of(seed)] for seed in seeds]
    assert [len(of_host) for of_host in starts] == [len(site.log) for site in sites]
    for site in sites:
        one_at_a_time = [
            after.start - before.start >= DELAY for before, after in itertools.pairwise(site.log)
        ]
        assert all(one_at_a_time) or "own=1" in words
    return starts


@pytest.mark.slow
@pytest.mark.requirement(264, 280, 312)
def test_strangers_are_safe_from_a_scheduler_that_is_wrong(tmp_path: Path) -> None:
    """One connection at a time, and two requests a second."""
    for starts in flooded(tmp_path, 12, 2, ""):
        assert len(starts) >= 14, "everything is asked in the end: nothing is dropped"
        kept(starts, 2, (HOST_BURST - 1) / 2 + LATE)


@pytest.mark.slow
@pytest.mark.requirement(280)
def test_our_own_hosts_are_safe_from_it_too(tmp_path: Path) -> None:
    """The cap of all hosts together."""
    hosts = flooded(tmp_path, 12, 3, "requests_per_second = 20", "-a", "own=1")
    starts = sorted(start for of_host in hosts for start in of_host)
    assert len(starts) >= 3 * 14
    kept(starts, 20, SAVED_SECONDS + LATE)
