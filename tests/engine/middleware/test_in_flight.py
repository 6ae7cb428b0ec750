"""Bodies in flight: what they have together is bounded, whoever sends, and what is done with makes room."""

from collections import Counter
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, cast

import pytest
from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import DownloadTimeoutError
from scrapy.http import Response
from scrapy.settings import Settings
from scrapy.statscollectors import MemoryStatsCollector
from twisted.python.failure import Failure

from engine.crawl.response_policy import OUT_OF_MEMORY, classify_response
from engine.middleware.body_limit import BodyLimit
from engine.middleware.fetching import fetch_from_failure
from engine.middleware.in_flight import FAVOURED, MAX_BYTES, PAUSED, SHARE, InFlightBytes
from engine.middleware.scheduler import FrontierScheduler
from engine.model.page import Claim, State
from engine.monitor import Counters
from engine.settings import CONCURRENT_REQUESTS, DOWNLOAD_MAXSIZE

PIECE = 65_536
CLAIM = Claim(1, "http://h.example/", "http://h.example")


@dataclass
class Spider:
    """What the extension and the scheduler need of one."""

    in_flight: InFlightBytes = field(default_factory=InFlightBytes)
    asked: int = 0
    counters: Counters = field(default_factory=lambda: Counters(Counter()))

    @property
    def crawl(self) -> "Spider":
        return self

    def claim(self) -> None:
        self.asked += 1

    def seconds_to_next(self) -> None:
        """Nothing to wait for."""


def request() -> Request:
    return Request("http://h.example/", meta={"claim": CLAIM, "started": 0.0, "began": 0.0, "sent": 0})


def crawler(spider: Spider) -> Crawler:
    settings = cast(Crawler, SimpleNamespace(settings=Settings()))
    return cast(Crawler, SimpleNamespace(spider=spider, stats=MemoryStatsCollector(settings)))


@dataclass
class Sender:
    """A connection that may have to wait."""

    waits: bool = False

    def pauseProducing(self) -> None:  # noqa: N802
        self.waits = True

    def resumeProducing(self) -> None:  # noqa: N802
        self.waits = False


@pytest.mark.slow
def test_a_thousand_hosts_that_send_ten_megabytes_hold_no_more_than_the_bound() -> None:
    """Piece by piece, in turn; all come to their end, and nothing that came is lost."""
    spider, most = Spider(), 0
    in_flight, cut = spider.in_flight, BodyLimit(crawler(spider))
    left = {number: (request(), Sender()) for number in range(1_000)}
    while left:
        under_way = [number for number in [*left][:CONCURRENT_REQUESTS] if not left[number][1].waits]
        assert under_way
        for number in under_way:
            one, sender = left[number]
            if sender.waits:
                continue
            cut.bytes_received(bytes(PIECE), one)
            in_flight.throttle(sender)
            most = max(most, in_flight.held)
            if one.meta["received"] >= DOWNLOAD_MAXSIZE:
                in_flight.release(one)
                del left[number]
    assert most <= MAX_BYTES + CONCURRENT_REQUESTS * (SHARE + PIECE) + FAVOURED * DOWNLOAD_MAXSIZE
    assert in_flight.held == 0


def test_what_has_its_share_or_less_never_waits() -> None:
    in_flight, first = InFlightBytes(), [request() for _ in range(FAVOURED)]
    for one in first:
        in_flight.add(one, MAX_BYTES)
        in_flight.throttle(Sender())
    in_flight.add(small := request(), SHARE)
    in_flight.throttle(sender := Sender())
    assert not sender.waits
    in_flight.add(small, 1)
    in_flight.throttle(sender)
    assert sender.waits


def test_one_that_ends_lets_the_next_go_on() -> None:
    in_flight, senders = InFlightBytes(), [Sender() for _ in range(FAVOURED + 2)]
    asked = [request() for _ in senders]
    for one, sender in zip(asked, senders, strict=True):
        in_flight.add(one, MAX_BYTES)
        in_flight.throttle(sender)
    assert [sender.waits for sender in senders] == [False] * FAVOURED + [True] * 2
    in_flight.release(asked[0])
    assert [sender.waits for sender in senders] == [False] * (FAVOURED + 1) + [True]


def test_no_request_begins_while_there_is_no_room() -> None:
    spider = Spider()
    scheduler = FrontierScheduler(crawler(spider))
    scheduler.open(spider)
    spider.in_flight.add(one := request(), MAX_BYTES)
    assert scheduler.next_request() is None
    assert spider.asked == 0
    spider.in_flight.release(one)
    scheduler.next_request()
    assert spider.asked == 1


@pytest.mark.parametrize(
    "of", [lambda one: Response(one.url, request=one), lambda one: SimpleNamespace(request=one)]
)
def test_what_went_through_all_stations_makes_room_once(of: Any) -> None:
    """Whether it was an answer or a failure."""
    spider = Spider()
    cut = BodyLimit(crawler(spider))
    cut.bytes_received(b"body", one := request())
    for _ in range(2):
        cut.record_size(of(one))
    cut.record_size(None)
    assert spider.in_flight.held == 0


def test_one_that_waited_too_long_is_asked_again_and_costs_its_host_nothing() -> None:
    failure = Failure(DownloadTimeoutError())  # type: ignore[no-untyped-call]
    waited = request()
    waited.meta[PAUSED] = True
    failure.request = waited  # type: ignore[attr-defined]
    visit = classify_response(fetch_from_failure(failure))
    assert (visit.state, visit.reason, visit.again) == (State.FAILED, OUT_OF_MEMORY, True)
