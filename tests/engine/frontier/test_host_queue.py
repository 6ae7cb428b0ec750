"""When a host may be asked again, counted from when it saw the last request."""

import pytest
import sqlalchemy as sa

from engine.frontier.host_queue import HostQueue
from engine.frontier.politeness import PACES
from engine.frontier.robots_cache import RobotsCache

LATE = 0.3  # seconds for which a request waits on our side: a busy process, a connection to be opened


def line_of() -> HostQueue:
    """A host of which nothing is known, robots.txt included."""
    return HostQueue(1, "http://h.example", PACES["brisk"], RobotsCache(sa.create_engine("sqlite://")))


@pytest.mark.requirement(264)
@pytest.mark.parametrize(
    ("host", "late", "why"),
    [
        ([0.05], [LATE], "the first request opens the connection, and nothing is known of the host yet"),
        ([0.05, 0.05], [0.0, LATE], "a later one waits because the crawl is busy"),
        ([0.05, 0.2, 0.1], [LATE, 0.0, LATE], "what was late before does not make it trusted"),
        ([0.2, 0.2, 0.2], [0.0, 0.0, 0.0], "none is late"),
    ],
)
def test_the_pause_begins_when_the_host_saw_the_request(
    host: list[float], late: list[float], why: str
) -> None:
    """As its server measures, from start to start; `host`: seconds that answers take it."""
    line, now = line_of(), 1_000.0
    for seconds, lag in zip(host, late, strict=True):
        line.in_flight, line.asked_at, seen = 1, now, now + lag
        line.record_response(seen + seconds, down=False, rest=0.0, draw=0.0)
        assert line.ready_at >= seen + 1.0 - 1e-6, why
        now = line.ready_at


@pytest.mark.requirement(312)
def test_a_slow_host_loses_no_more_time_than_it_has_to() -> None:
    """Twice what it took, from start to start."""
    line = line_of()
    line.asked_at, line.in_flight = 1_000.0, 1
    line.record_response(1_004.0, down=False, rest=0.0, draw=0.0)
    assert line.ready_at == pytest.approx(1_008.0)
