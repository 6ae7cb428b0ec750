"""Hours and rates."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.robots.timing import DAY, RequestRate, Window, longest_pause, seconds_to_opening

NIGHT = 19_000 * DAY  # some midnight, UTC
minutes = st.integers(0, 24 * 60 - 1)
windows = st.builds(Window, minutes, minutes)
rates = st.builds(RequestRate, st.integers(1, 100), st.floats(0.5, 7_200), st.none() | windows)
moments = st.floats(0, 4e9)


def at(clock: str) -> float:
    """The moment when a clock in Greenwich shows this, `HH:MM:SS` or `HH:MM`."""
    hour, minute, second = [*map(float, clock.split(":")), 0.0][:3]
    return NIGHT + hour * 3_600 + minute * 60 + second


@pytest.mark.requirement(188)
@pytest.mark.parametrize(
    ("text", "window", "why"),
    [
        ("0600-0845", Window(360, 525), "requirement 188: as the source shows it"),
        ("600-845", Window(360, 525), "an hour of one digit"),
        ("06:00 - 08:45", Window(360, 525), "as clocks show it"),
        ("0600 0845", Window(360, 525), "a blank between the times"),
        ("2200-0500", Window(1320, 300), "requirement 188: over midnight"),
        ("0000-2359", Window(0, 1439), "the whole day"),
        ("2400-0100", None, "no hour"),
        ("0660-0845", None, "no minute"),
        ("0600", None, "no end"),
        ("0600-0845-0900", None, "too many ends"),
        ("\u0660600-0845", None, "digits of another script"),
        ("soon", None, "no time"),
        ("", None, "nothing"),
    ],
)
def test_hours(text: str, window: Window | None, why: str) -> None:
    assert Window.parse(text) == window, why


@pytest.mark.requirement(186, 187)
@pytest.mark.parametrize(
    ("text", "rate", "pause", "why"),
    [
        ("1/5", RequestRate(1, 5), 5.0, "requirement 186: seconds"),
        ("10/60", RequestRate(10, 60), 6.0, "several in a minute"),
        ("5/1m", RequestRate(5, 60), 12.0, "requirement 187: minutes"),
        ("20/1H", RequestRate(20, 3600), 180.0, "requirement 187: hours"),
        ("1/2s", RequestRate(1, 2), 2.0, "requirement 187: seconds by name"),
        ("1/0.5", RequestRate(1, 0.5), 0.5, "a fraction"),
        ("1 / 5 m", RequestRate(1, 300), 300.0, "blanks"),
        (
            "1/30 1200-1259",
            RequestRate(1, 30, Window(720, 779)),
            30.0,
            "requirement 187: hours without a unit",
        ),
        ("5/1m 0200-2259", RequestRate(5, 60, Window(120, 1379)), 12.0, "requirement 187: with hours"),
        ("5/1m\t0200 2259", RequestRate(5, 60, Window(120, 1379)), 12.0, "hours with a blank"),
        ("0/5", None, None, "nothing at all is no rate"),
        ("1/0", None, None, "at once is no rate"),
        ("1/5d", None, None, "a unit that is none"),
        ("1/5 always", None, None, "hours that are none"),
        ("-1/5", None, None, "less than nothing"),
        ("1/9999999999", None, None, "longer than anybody counts"),
        ("5", None, None, "no time"),
        ("", None, None, "nothing"),
    ],
)
def test_rates(text: str, rate: RequestRate | None, pause: float | None, why: str) -> None:
    read = RequestRate.parse(text)
    assert read == rate, why
    assert (read and read.pause) == pause, why


@pytest.mark.requirement(188)
@pytest.mark.parametrize(
    ("window", "clock", "wait", "why"),
    [
        ("0600-0845", "05:59", 60.0, "requirement 188: a minute too early"),
        ("0600-0845", "05:59:59", 1.0, "a second too early"),
        ("0600-0845", "06:00", 0.0, "requirement 188: the first minute"),
        ("0600-0845", "08:45", 0.0, "requirement 188: the last minute"),
        ("0600-0845", "08:45:59", 0.0, "and all of it"),
        ("0600-0845", "08:46", 21 * 3600 + 14 * 60.0, "requirement 188: a minute too late"),
        ("2200-0500", "23:00", 0.0, "requirement 188: before midnight"),
        ("2200-0500", "00:00", 0.0, "midnight"),
        ("2200-0500", "05:01", 17 * 3600 - 60.0, "after the night"),
        ("1200-1200", "12:00:30", 0.0, "a window of one minute"),
        ("1200-1200", "12:01", DAY - 60.0, "and a day to wait for it"),
    ],
)
def test_when_visits_are_welcome(window: str, clock: str, wait: float, why: str) -> None:
    read = Window.parse(window)
    assert read
    assert seconds_to_opening([read], at(clock)) == wait, why


def test_of_several_hours_the_next_counts() -> None:
    assert seconds_to_opening([Window(600, 660), Window(360, 420)], at("05:00")) == 3600.0
    assert seconds_to_opening([], at("05:00")) == 0.0


@pytest.mark.requirement(187)
@pytest.mark.parametrize(
    ("clock", "pause", "why"),
    [
        ("03:00", 12.0, "requirement 187: the rate of these hours"),
        ("23:30", 60.0, "requirement 187: that of the others"),
        ("12:30", 30.0, "requirement 187: where two overlap, the slowest"),
    ],
)
def test_the_slowest_rate_of_the_hour(clock: str, pause: float, why: str) -> None:
    lines = ("5/1m 0200-2259", "1/1m 2300-0159", "1/30 1200-1259")
    read = [rate for line in lines if (rate := RequestRate.parse(line))]
    assert longest_pause(read, at(clock)) == pause, why


def test_no_rate_of_this_hour() -> None:
    assert longest_pause([], NIGHT) is None
    assert longest_pause([RequestRate(1, 5, Window(60, 120))], NIGHT) is None


@given(st.text(max_size=20) | st.from_regex(r"[0-9 /:smh-]{0,12}", fullmatch=True))
def test_any_text_is_read_or_refused(text: str) -> None:
    rate, window = RequestRate.parse(text), Window.parse(text)
    assert rate is None or rate.pause > 0
    assert window is None or 0 <= min(window) <= max(window) < 24 * 60


@pytest.mark.requirement(188)
@given(st.lists(windows, min_size=1, max_size=4), moments)
def test_the_wait_ends_inside_a_window(some: list[Window], now: float) -> None:
    wait = seconds_to_opening(some, now)
    assert 0.0 <= wait < DAY
    assert any(window.contains(now + wait) for window in some)


@pytest.mark.requirement(187)
@given(st.lists(rates, max_size=4), rates, moments)
def test_another_rate_never_makes_it_faster(some: list[RequestRate], more: RequestRate, now: float) -> None:
    before, after = longest_pause(some, now), longest_pause([*some, more], now)
    assert before is None or (after is not None and after >= before)
