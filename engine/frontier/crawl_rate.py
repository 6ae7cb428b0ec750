"""Computes how long a host takes for a number of visits, by its pace and its owner's hours."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.frontier.politeness import Pace, compute_pause
from engine.robots import AGENT, DAY, MAX_CRAWL_DELAY, RobotsState, Verdict, Window

MINUTES = DAY // 60
MEAN_DRAW = 0.5  # of the random numbers that draw out pauses
LEAST_PAUSE = 0.01  # seconds; to fetch, read and store a large page where nothing else holds us up; two cores


@dataclass(frozen=True, slots=True)
class CrawlRate:
    """`pause`: mean seconds from start to start while the host receives us; infinite: it never does.

    `visits_by_minute`: visits in each minute of the UTC day, where not every minute is alike.
    """

    pause: float
    visits_by_minute: NDArray[np.float64] | None = None

    def seconds(self, visits: float, now: float) -> float:
        """Computes the seconds until so many visits are made; `now` in seconds since 1970."""
        if self.visits_by_minute is None or not visits:
            return visits * self.pause
        minute = int(now // 60) % MINUTES
        reached = np.cumsum(np.roll(self.visits_by_minute, -minute))
        days = np.ceil(round(visits / reached[-1], 9)) - 1  # rounded: the last visit of a day is of that day
        rest = min(visits - days * reached[-1], reached[-1])
        last = int(np.searchsorted(reached, rest))
        before = reached[last - 1] if last else 0.0
        part = (rest - before) / (reached[last] - before)
        return float(days * DAY + (last + part) * 60)


NEVER = CrawlRate(np.inf)


def compute_rate(pace: Pace, state: RobotsState | None) -> CrawlRate:
    """Computes the rate that pace and the last robots.txt allow (requirements 186-188, 191).

    How long the host takes to answer is not known here: one that takes longer than half of its pause
    is asked more slowly than this.
    """
    if state and state.verdict in (Verdict.DEFER, Verdict.DISALLOW_ALL):
        return NEVER
    if state is None or state.verdict is Verdict.ALLOW_ALL or not pace.owner_timing:
        return CrawlRate(_mean_pause(pace, 0.0))
    windows, rates = state.rules.visit_times(AGENT), state.rules.request_rates(AGENT)
    always = [rate.pause for rate in rates if rate.window is None]
    delay = max([state.rules.crawl_delay(AGENT) or 0.0, *always])
    timed = [rate for rate in rates if rate.window]
    if not windows and not timed:
        return CrawlRate(_mean_pause(pace, delay))
    delays = np.full(MINUTES, delay)
    for rate in timed:
        for part in _minute_slices(rate.window):
            np.maximum(delays[part], rate.pause, out=delays[part])
    welcome = np.full(MINUTES, not windows)
    for window in windows:
        for part in _minute_slices(window):
            welcome[part] = True
    pauses = np.array([_mean_pause(pace, float(seconds)) for seconds in delays])
    day = np.where(welcome, 60 / pauses, 0.0)
    visits, minutes = day.sum(), np.count_nonzero(day)
    return CrawlRate(float(minutes * 60 / visits), day) if visits else NEVER


def _mean_pause(pace: Pace, delay: float) -> float:
    """Computes the mean seconds from start to start; hosts that ask for too many are suspended."""
    return (
        max(compute_pause(pace, 0.0, delay, 0, MEAN_DRAW), LEAST_PAUSE)
        if delay <= MAX_CRAWL_DELAY
        else np.inf
    )


def _minute_slices(window: Window | None) -> Iterator[slice]:
    """Lists the minutes of the day in a window, over midnight in two parts."""
    assert window
    if window.start <= window.end:
        yield slice(window.start, window.end + 1)
    else:
        yield slice(window.start, MINUTES)
        yield slice(0, window.end + 1)
