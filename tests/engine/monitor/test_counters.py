"""The rate of a crawl."""

from collections import Counter

import pytest

from engine.monitor import Counters
from engine.monitor.counters import WINDOW_SECONDS


@pytest.mark.requirement(61)
@pytest.mark.parametrize(
    ("arrivals", "until", "rate", "why"),
    [
        ([], 0, 0.0, "nothing is known at the first look"),
        ([10] * 5, 5, 10.0, "those of before a restart do not count"),
        ([10] * 5, 10, 5.0, "a crawl that has just begun"),
        ([10] * 5, 5 + WINDOW_SECONDS, 0.0, "what came more than half a minute ago counts no more"),
        ([10] * 60 + [4] * 30, 90, 4.0, "the pace of now, not that of the whole crawl"),
    ],
)
def test_the_rate_is_that_of_the_last_half_minute(
    arrivals: list[int], until: float, rate: float, why: str
) -> None:
    """Of a crawl that is looked at each second; so many pages come in each."""
    counters = Counters(Counter(stored=1_000, unchanged=500))
    found = counters.rate(100.0)
    for second in range(int(until)):
        counters.counts["stored"] += arrivals[second] if second < len(arrivals) else 0
        found = counters.rate(101.0 + second)
    assert found == pytest.approx(rate), why
