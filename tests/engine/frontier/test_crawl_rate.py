"""How long a host takes: tables, and a minute-by-minute walk through the days as an oracle."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.frontier.crawl_rate import LEAST_PAUSE, compute_rate
from engine.frontier.politeness import PACES
from engine.robots import AGENT, MAX_CRAWL_DELAY, RobotsState, Verdict
from tests.crawling import EPOCH

POLITE, BRISK, OWN = PACES["polite"], PACES["brisk"], PACES["own"]
HOUR = 3_600
MIDNIGHT = EPOCH - 8 * HOUR


def obeyed(*lines: str) -> RobotsState:
    body = "\n".join(("User-agent: *", *lines)).encode()
    return RobotsState(Verdict.OBEY, body, EPOCH, EPOCH + 86_400, 200)


def answered(verdict: Verdict) -> RobotsState:
    return RobotsState(verdict, b"", EPOCH, EPOCH + 86_400, 503)


@pytest.mark.requirement(186, 188, 191)
@pytest.mark.parametrize(
    ("pace", "state", "seconds", "why"),
    [
        (POLITE, None, 6.25, "five seconds, drawn out by a quarter in the mean"),
        (BRISK, None, 1.25, "one second, likewise"),
        (POLITE, answered(Verdict.ALLOW_ALL), 6.25, "a 404 asks for nothing"),
        (OWN, None, LEAST_PAUSE, "no pause, but nobody is infinitely fast"),
        (POLITE, obeyed("Crawl-delay: 2"), 6.25, "the owner asks for less than we keep"),
        (POLITE, obeyed("Crawl-delay: 20"), 25.0, "requirement 191: the owner asks for more"),
        (POLITE, obeyed("Request-rate: 1/40"), 50.0, "requirement 186: as a rate"),
        (POLITE, obeyed("Crawl-delay: 8", "Request-rate: 1/40"), 50.0, "the slowest counts"),
        (OWN, obeyed("Crawl-delay: 20"), LEAST_PAUSE, "the operator is the owner"),
        (POLITE, obeyed("Visit-time: 0000-1159"), 6.25, "requirement 188: slow only while it is shut"),
        (POLITE, obeyed(f"Crawl-delay: {MAX_CRAWL_DELAY + 1}"), math.inf, "longer than we wait"),
        (POLITE, obeyed("Request-rate: 1/8h 0000-2359"), math.inf, "longer at every hour"),
        (POLITE, answered(Verdict.DEFER), math.inf, "no readable robots.txt: not now"),
        (POLITE, answered(Verdict.DISALLOW_ALL), math.inf, "robots.txt says no to all"),
        (OWN, answered(Verdict.DEFER), math.inf, "that holds for one's own hosts, too"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_the_mean_pause(pace: object, state: RobotsState | None, seconds: float, why: str) -> None:
    assert compute_rate(pace, state).pause == pytest.approx(seconds), why  # type: ignore[arg-type]


@pytest.mark.requirement(187, 188)
@pytest.mark.parametrize(
    ("lines", "visits", "hours", "why"),
    [
        ((), 576, 1.0, "one every 6.25 s"),
        (("Visit-time: 0800-1159",), 576, 1.0, "it is open now"),
        (("Visit-time: 1000-1159",), 576, 3.0, "it opens in two hours"),
        (("Visit-time: 0000-0859",), 1_152, 17.0, "an hour now, an hour after midnight"),
        (("Visit-time: 2300-0059",), 1_152, 17.0, "over midnight"),
        (("Visit-time: 0800-0859",), 576 * 3, 49.0, "an hour a day: the third of them ends in 49 hours"),
        (("Visit-time: 0800-0829", "Visit-time: 0815-0859"), 576, 1.0, "windows that overlap"),
        (("Request-rate: 1/8 0800-0859", "Request-rate: 1/16 0900-0959"), 540, 2.0, "by the hour"),
        (("Request-rate: 1/8", "Request-rate: 1/16 0900-2359"), 540, 2.0, "requirement 187: slowest"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_hours_until_so_many_visits_are_made(
    lines: tuple[str, ...], visits: int, hours: float, why: str
) -> None:
    """At eight in the morning UTC."""
    assert compute_rate(POLITE, obeyed(*lines)).seconds(visits, EPOCH) == pytest.approx(hours * HOUR), why


def test_nothing_to_do_takes_no_time() -> None:
    assert compute_rate(POLITE, obeyed("Visit-time: 2300-2359")).seconds(0, EPOCH) == 0.0


def walked(state: RobotsState, visits: float, minute: int) -> float:
    """Seconds, by asking robots.txt anew in every minute."""
    passed = 0
    while passed < 3 * 1_440:
        now = MIDNIGHT + (minute + passed) * 60
        delay = state.crawl_delay(AGENT, now) or 0.0
        if not state.seconds_to_opening(AGENT, now):
            in_minute = 60 / (max(5.0, delay) * 1.25)
            if visits <= in_minute * (1 + 1e-9):
                return (passed + visits / in_minute) * 60
            visits -= in_minute
        passed += 1
    return math.inf


clock = st.integers(0, 1_439).map(lambda minute: f"{minute // 60:02}{minute % 60:02}")
window = st.tuples(clock, clock).map("-".join)
lines = st.lists(
    window.map(lambda hours: f"Visit-time: {hours}")
    | st.tuples(st.integers(1, 60), window).map(lambda rate: f"Request-rate: 1/{rate[0]} {rate[1]}")
    | st.integers(1, 60).map(lambda seconds: f"Crawl-delay: {seconds}"),
    max_size=4,
)


@pytest.mark.requirement(186, 187, 188)
@settings(max_examples=40)
@given(lines, st.integers(1, 4_000), st.integers(0, 1_439))
def test_the_arithmetic_is_that_of_a_walk(said: list[str], visits: int, minute: int) -> None:
    """Hours and rates as the crawl reads them."""
    state = obeyed(*said)
    slow = walked(state, visits, minute)
    if slow < math.inf:
        assert compute_rate(POLITE, state).seconds(visits, MIDNIGHT + minute * 60) == pytest.approx(
            slow, abs=0.01
        )
