"""Lines over time: where they run, where they break, where their scale ends."""

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search_ui.admin.charts import HEIGHT, STEPS, WIDTH, draw_chart, round_up


@pytest.mark.parametrize(
    ("value", "top"),
    [
        (0, 1),
        (0.009, 1),
        (0.03, 0.1),
        (0.067, 0.1),
        (0.1, 0.1),
        (0.3, 0.5),
        (1, 1),
        (1.01, 2),
        (5, 5),
        (6, 10),
        (99, 100),
        (1_204, 2_000),
        (3e9, 5e9),
    ],
)
def test_where_a_scale_ends(value: float, top: float) -> None:
    assert round_up(value) == pytest.approx(top)


@pytest.mark.parametrize(
    ("values", "path", "why"),
    [
        ({}, "", "nothing known"),
        ({1: 1.0, 2: 0.0, 3: 0.5}, "M0.0 0.0h0.1L240.0 100.0L480.0 50.0", "a line"),
        ({1: 1.0, 3: 1.0}, "M0.0 0.0h0.1M480.0 0.0h0.1", "a minute is missing"),
        ({-9: 1.0, 99: 7.0}, "", "outside"),
        ({1: 0.0, 2: 0.0, 3: 0.0}, "M0.0 100.0h0.1L240.0 100.0L480.0 100.0", "nothing, all the time"),
    ],
)
def test_lines(values: Mapping[int, float], path: str, why: str) -> None:
    assert draw_chart("", "", values, 1, 3).path == path, why


def test_of_many_minutes_the_largest_is_drawn() -> None:
    values = dict.fromkeys(range(1, 1_441), 1.0) | {700: 10.0}
    chart = draw_chart("", "", values, 1, 1_440)
    assert (chart.path.count("L"), chart.most, chart.last, chart.top) == (STEPS - 1, 10.0, 1.0, 10.0)
    assert " 0.0" in chart.path


@given(st.dictionaries(st.integers(-5, 20_000), st.floats(0, 1e12), max_size=50), st.integers(1, 10_080))
def test_every_line_stays_within_its_frame(values: dict[int, float], minutes: int) -> None:
    path = draw_chart("", "", values, 1, minutes).path
    points = [point.partition("h")[0].split() for point in path.replace("L", "M").split("M")[1:]]
    assert all(0 <= float(x) <= WIDTH and 0 <= float(y) <= HEIGHT for x, y in points)
    assert len(points) <= STEPS
