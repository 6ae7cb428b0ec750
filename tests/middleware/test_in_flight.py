"""Bodies in flight: what they have together is bounded, whoever sends, and what is done with makes room."""

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, cast

import pytest
from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import StopDownload
from scrapy.http import Response
from twisted.python.failure import Failure

from engine.judge import CROWDED, judge
from engine.middleware.cut import Cut
from engine.middleware.fetching import failed
from engine.middleware.in_flight import MAX_BYTES, MOST_BYTES, SHARE, InFlight
from engine.middleware.scheduler import FrontierScheduler
from engine.page import Claim, State
from engine.settings import CONCURRENT_REQUESTS, DOWNLOAD_MAXSIZE

PIECE = 65_536
CLAIM = Claim(1, "http://h.example/", "http://h.example")


@dataclass
class Spider:
    """What the extension and the scheduler need of one."""

    in_flight: InFlight = field(default_factory=InFlight)
    asked: int = 0

    @property
    def crawl(self) -> "Spider":
        return self

    def claim(self) -> None:
        self.asked += 1

    def wait(self) -> None:
        """Nothing to wait for."""


def request() -> Request:
    return Request("http://h.example/", meta={"claim": CLAIM, "started": 0.0, "sent": 0})


def crawler(spider: Spider) -> Crawler:
    return cast(Crawler, SimpleNamespace(spider=spider))


def test_a_thousand_hosts_that_send_ten_megabytes_hold_no_more_than_the_bound() -> None:
    """Piece by piece, in turn; each that is put back gives back what it had."""
    spider = Spider()
    cut = Cut(crawler(spider))
    under_way, most, ended = [request() for _ in range(1_000)], 0, 0
    for _ in range(DOWNLOAD_MAXSIZE // PIECE):
        for one in list(under_way):
            try:
                cut.bytes_received(bytes(PIECE), one)
            except StopDownload:
                spider.in_flight.give_back(one)
                under_way.remove(one)
                ended += 1
            most = max(most, spider.in_flight.held)
    assert most <= max(MOST_BYTES, 1_000 * SHARE) + PIECE
    assert len(under_way) + ended == 1_000
    assert len(under_way) >= MOST_BYTES // DOWNLOAD_MAXSIZE - 1, "those that have room come to their end"


def test_all_at_once_may_have_their_share() -> None:
    assert CONCURRENT_REQUESTS * SHARE < MAX_BYTES < MOST_BYTES
    in_flight = InFlight()
    assert in_flight.take(request(), MOST_BYTES)
    assert in_flight.take(small := request(), SHARE)
    assert not in_flight.take(small, 1)


def test_no_request_begins_while_there_is_no_room() -> None:
    spider = Spider()
    scheduler = FrontierScheduler(crawler(spider))
    scheduler.open(spider)
    spider.in_flight.take(one := request(), MAX_BYTES)
    assert scheduler.next_request() is None
    assert spider.asked == 0
    spider.in_flight.give_back(one)
    scheduler.next_request()
    assert spider.asked == 1


@pytest.mark.parametrize(
    "of", [lambda one: Response(one.url, request=one), lambda one: SimpleNamespace(request=one)]
)
def test_what_went_through_all_stations_makes_room_once(of: Any) -> None:
    """Whether it was an answer or a failure."""
    spider = Spider()
    cut = Cut(crawler(spider))
    cut.bytes_received(b"body", one := request())
    for _ in range(2):
        cut.done(of(one))
    cut.done(None)
    assert spider.in_flight.held == 0


def test_what_is_put_back_is_asked_again_and_costs_its_host_nothing() -> None:
    failure = Failure(StopDownload())  # type: ignore[no-untyped-call]
    failure.request = request()  # type: ignore[attr-defined]
    visit = judge(failed(failure))
    assert (visit.state, visit.reason, visit.again) == (State.FAILED, CROWDED, True)
