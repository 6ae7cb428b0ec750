"""Hosts that a site names are asked for their robots.txt first, in their turn, and for no page."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from engine.database import hosts, urls
from engine.errors import PageError
from engine.model import Claim, Fetch, Origin, Purpose
from engine.render.host_turns import NOT_NOW, HostTurns
from engine.render.named_hosts import NamedHosts
from tests.crawling import Clock, crawl_of

CDN = "http://cdn.example"
ROBOTS = f"{CDN}/robots.txt"
DAY = 86_400.0


@dataclass
class Sent:
    """A request, and its answer."""

    claim: Claim
    status: int
    body: bytes


class Stage:
    """A crawl whose named host answers with this status; `log` has what it was asked for."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, status: int = 200) -> None:
        self.clock, self.status, self.log = Clock(), status, list[tuple[float, Claim]]()
        self.crawl = crawl_of(folder, self.clock, own=True)
        self.turns = HostTurns(self.crawl.frontier, self.clock, self.sleep)
        spider = SimpleNamespace(
            crawl=self.crawl, clock=self.clock, parse_robots=self.parse, errback=self.fail, fail=None
        )
        engine = SimpleNamespace(download_async=self.download)
        crawler: Any = SimpleNamespace(spider=spider, engine=engine)
        monkeypatch.setattr("engine.render.named_hosts.build_request", lambda claim, spider: claim)
        self.named = NamedHosts(crawler, self.turns)

    async def sleep(self, seconds: float) -> None:
        self.clock.now += seconds
        await asyncio.sleep(0)

    async def download(self, claim: Claim) -> Sent:
        self.log.append((self.clock.now, claim))
        await self.sleep(0.1)
        if not self.status:
            raise OSError
        text = b"User-agent: *\nDisallow: /no\nSitemap: /map.xml"
        return Sent(claim, self.status, text)

    async def parse(self, sent: Sent) -> AsyncIterator[Claim]:
        """As LycosaSpider.parse_robots has it."""
        location = [("location", "/moved/robots.txt")] if sent.claim.hops == 0 else []
        if hop := self.crawl.record_robots(Fetch(sent.claim, sent.status, location, sent.body)):
            yield hop

    def fail(self, failure: Any) -> Iterator[Claim]:
        """As LycosaSpider.errback has it."""
        self.crawl.record_robots(Fetch(failure.request, 0, error="connection lost"))
        return iter(())

    def open(self, times: int = 1) -> None:
        async def act() -> None:
            await asyncio.gather(*[self.named.open(CDN) for _ in range(times)])

        asyncio.run(act())


def test_it_is_asked_for_its_robots_txt_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stage = Stage(tmp_path, monkeypatch)
    stage.open(3)
    stage.open()
    claims = [claim for _, claim in stage.log]
    assert [(one.url, one.kind, one.origin) for one in claims] == [(ROBOTS, Purpose.ROBOTS, Origin.RENDERING)]
    assert stage.turns.may_ask(CDN)
    assert stage.crawl.permissions.refusal(CDN, f"{CDN}/no.js")
    assert not stage.crawl.permissions.refusal(CDN, f"{CDN}/yes.js")
    stage.clock.now += 8 * DAY
    stage.open()
    assert len(stage.log) == 2, "it is too old"


def test_nothing_of_it_is_crawled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither its sitemaps nor its pages; the crawl ends as without it, and the next knows its rules."""
    stage = Stage(tmp_path, monkeypatch)
    stage.open()
    with stage.crawl.store.engine.connect() as connection:
        assert connection.execute(hosts.select().where(hosts.c.host == CDN)).one().robots
        assert not [row for row in connection.execute(urls.select()) if CDN in row.url]
    assert stage.crawl._open == 0
    queue = stage.crawl.frontier.host_queues[CDN]
    assert (queue.waiting, queue.in_flight) == (0, 0)
    while claim := stage.crawl.claim():
        assert claim.host != CDN
        stage.crawl.record_robots(Fetch(claim, 0, error="x")) if claim.kind is Purpose.ROBOTS else None


def test_it_has_its_pace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A polite one: as long after robots.txt as after anything else."""
    stage = Stage(tmp_path, monkeypatch)
    stage.open()
    asyncio.run(stage.turns.take(CDN))
    assert stage.clock.now - stage.log[0][0] >= 5.0


REFUSED = [
    (503, "its robots.txt cannot be had"),
    (0, "it does not answer"),
]


@pytest.mark.parametrize(("status", "why"), REFUSED)
def test_without_its_rules_it_is_not_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, status: int, why: str
) -> None:
    stage = Stage(tmp_path, monkeypatch, status)
    stage.open(3)
    assert len(stage.log) == 1, why
    assert not stage.turns.may_ask(CDN), why
    stage.status = 200
    stage.clock.now += DAY
    stage.open()
    assert stage.turns.may_ask(CDN), "it is tried again later"


def test_a_redirected_robots_txt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stage = Stage(tmp_path, monkeypatch, 301)
    stage.open()
    assert [claim.url for _, claim in stage.log] == [ROBOTS, f"{CDN}/moved/robots.txt"]
    assert stage.crawl.frontier.host_queues[CDN].in_flight == 0


def test_what_another_crawl_asks_is_left_to_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stage = Stage(tmp_path, monkeypatch)
    monkeypatch.setattr(stage.crawl.frontier.host_queues, "lease", lambda *_: None)
    with pytest.raises(PageError, match=NOT_NOW):
        stage.open()
    assert stage.log == []


def test_what_the_operator_has_paused_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stage = Stage(tmp_path, monkeypatch)
    monkeypatch.setattr(stage.crawl.frontier.paused, "is_paused", lambda *_: True)
    stage.open()
    assert stage.log == []
    assert not stage.turns.may_ask(CDN)
