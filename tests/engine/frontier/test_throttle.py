"""When nobody is asked: quiet hours by the clock on the wall, and a bandwidth on average."""

import itertools
import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.config import Hours
from engine.frontier.throttle import QuietHours, Throttle, TokenBucket

UTC = "UTC0"
BERLIN = "CET-1CEST,M3.5.0,M10.5.0/3"  # without the need of a time zone database
H = 3_600.0


@contextmanager
def living_in(zone: str) -> Iterator[None]:
    """This machine's clock shows the time of a zone (POSIX TZ)."""
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("TZ", zone)
            time.tzset()
            yield
    finally:
        time.tzset()


def quiet(*hours: str) -> QuietHours:
    return QuietHours([Hours.parse(text) for text in hours])


@pytest.mark.parametrize(
    ("zone", "hours", "utc", "seconds", "why"),
    [
        (UTC, [], "2027-01-15T23:00:00", 0.0, "none are written"),
        (UTC, ["22:00-06:00"], "2027-01-15T21:59:59", 0.0, "the last second before"),
        (UTC, ["22:00-06:00"], "2027-01-15T22:00:00", 8 * H, "the first second, over midnight"),
        (UTC, ["22:00-06:00"], "2027-01-15T23:59:59", 6 * H + 1, "the last second before midnight"),
        (UTC, ["22:00-06:00"], "2027-01-16T00:00:00", 6 * H, "midnight"),
        (UTC, ["22:00-06:00"], "2027-01-16T05:59:59.500", 0.5, "the last half second"),
        (UTC, ["22:00-06:00"], "2027-01-16T06:00:00", 0.0, "the end is outside"),
        (UTC, ["08:30-09:00"], "2027-01-15T08:45:10", 890.0, "within one day"),
        (UTC, ["22:00-00:00"], "2027-01-15T22:00:00", 2 * H, "until midnight"),
        (UTC, ["22:00-00:00", "00:00-06:00"], "2027-01-15T23:00:00", 7 * H, "hours that touch"),
        (UTC, ["03:00-02:59"], "2027-01-15T03:00:00", 24 * H - 60, "all but one minute"),
        (BERLIN, ["22:00-06:00"], "2027-01-15T20:59:59", 0.0, "the clock on the wall, in winter"),
        (BERLIN, ["22:00-06:00"], "2027-01-15T21:00:00", 8 * H, "the clock on the wall, in winter"),
        (BERLIN, ["22:00-06:00"], "2027-07-15T20:00:00", 8 * H, "the clock on the wall, in summer"),
        (BERLIN, ["22:00-06:00"], "2027-03-27T21:00:00", 7 * H, "the night that is an hour shorter"),
        (BERLIN, ["22:00-06:00"], "2027-10-30T20:00:00", 9 * H, "the night that is an hour longer"),
        (BERLIN, ["01:00-02:30"], "2027-03-28T00:30:00", 0.5 * H, "no clock shows the end that night"),
        (BERLIN, ["02:15-02:45"], "2027-03-28T01:00:00", 0.0, "nor anything of these hours"),
        (BERLIN, ["02:15-02:45"], "2027-10-31T00:50:00", 0.0, "between the two times they are shown"),
        (BERLIN, ["02:15-02:45"], "2027-10-31T01:15:00", 0.5 * H, "the second time"),
        (BERLIN, ["03:00-02:59"], "2027-03-27T02:00:00", 47 * H - 60, "the one minute is left out"),
    ],
)
def test_quiet_hours(zone: str, hours: list[str], utc: str, seconds: float, why: str) -> None:
    with living_in(zone):
        now = datetime.fromisoformat(f"{utc}+00:00").timestamp()
        assert quiet(*hours).seconds_left(now) == pytest.approx(seconds, abs=1e-3), why


@given(
    zone=st.sampled_from([UTC, BERLIN, "NST3:30NDT,M3.2.0,M11.1.0", "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0"]),
    now=st.floats(min_value=1.78e9, max_value=1.85e9),
    start=st.integers(0, 1439),
    length=st.integers(1, 1439),
)
def test_it_is_quiet_until_the_end_and_not_then(zone: str, now: float, start: int, length: int) -> None:
    hours = QuietHours([Hours(start, (start + length) % 1440)])
    with living_in(zone):
        seconds = hours.seconds_left(now)
        assert hours.seconds_left(now + seconds + 1e-3) == 0.0
        for part in (0.0, 0.3, 0.7, 0.999):
            assert not seconds or hours.seconds_left(now + seconds * part) > 0.0


def test_the_log_says_once_until_when(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "lycosa")
    throttle = Throttle([Hours.parse("22:00-06:00")])
    with living_in(UTC):
        for now in range(10 * 3_600, 58 * 3_600, 600):  # two nights
            throttle.seconds_to_wait(float(now))
    said = [record.getMessage() for record in caplog.records]
    assert said == ["no requests until 06:00: quiet_hours of crawl.toml"] * 2


@pytest.mark.requirement(271)
@given(
    per_second=st.sampled_from([0.5, 3.0, 1_000.0]),
    saved=st.sampled_from([0.0, 1.0, 3.0]),
    steps=st.lists(st.tuples(st.floats(0, 10), st.integers(1, 5_000)), min_size=1, max_size=40),
)
def test_no_stretch_of_time_has_more_than_its_share(
    per_second: float, saved: float, steps: list[tuple[float, int]]
) -> None:
    """The rate, what was saved up, and the last thing spent, which nobody knew before."""
    allowance, now = TokenBucket(per_second, saved), 1.8e9
    spent: list[tuple[float, int]] = []
    for idle, amount in steps:
        now += idle
        now += allowance.seconds_to_wait(now)
        allowance.spend(amount, now)
        spent.append((now, amount))
    for first, last in itertools.combinations(range(len(spent)), 2):
        before_last = sum(amount for _, amount in spent[first:last])
        assert before_last <= per_second * (spent[last][0] - spent[first][0] + saved) + 1e-3


@pytest.mark.requirement(271)
@pytest.mark.parametrize(
    ("received", "now", "wait", "why"),
    [
        ([], 100.0, 0.0, "nothing came yet"),
        ([(100.0, 1_000)], 100.0, 0.0, "a second's worth is free"),
        ([(100.0, 5_000)], 100.0, 4.0, "requirement 271: five seconds' worth, of which one is free"),
        ([(100.0, 5_000)], 102.5, 1.5, "waiting pays"),
        ([(100.0, 5_000), (100.0, 5_000)], 100.0, 9.0, "answers that came together"),
        ([(100.0, 1_000), (200.0, 3_000)], 200.0, 2.0, "no more than a second is saved up"),
    ],
)
def test_bandwidth(received: list[tuple[float, int]], now: float, wait: float, why: str) -> None:
    throttle = Throttle(bytes_per_second=1_000)
    for at, size in received:
        throttle.spend(size, at)
    assert throttle.seconds_to_wait(now) == pytest.approx(wait), why
