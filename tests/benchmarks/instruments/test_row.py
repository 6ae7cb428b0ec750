import json
from collections.abc import Callable

import pytest

from benchmarks.instruments.row import Row, cost_row, rate_row

RATIOS = [
    (rate_row, 200.0, 100.0, 2.0, "twice as many pages a second is twice as good"),
    (rate_row, 50.0, 100.0, 0.5, "half as many is half as good"),
    (cost_row, 5.0, 10.0, 2.0, "half the time is twice as good"),
    (cost_row, 10.0, 5.0, 0.5, "twice the time is half as good"),
    (rate_row, 10.0, 0.0, None, "a peer that did nothing is no measure"),
    (cost_row, 0.0, 5.0, None, "nothing is no measure"),
]


@pytest.mark.parametrize(("kind", "ours", "theirs", "ratio", "why"), RATIOS)
def test_above_one_is_better(
    kind: Callable[[str, float, str, float], Row], ours: float, theirs: float, ratio: float | None, why: str
) -> None:
    assert kind("x", ours, "peer", theirs).ratio == ratio, why


ROWS = [
    (
        rate_row("crawl.pages", 2000 / 3, "wget", 100.0),
        {"name": "crawl.pages", "ours": 666.7, "peer": "wget", "peer_value": 100.0, "ratio": 6.667},
        "four digits are as many as repeat",
    ),
    (
        Row("crawl.info.lag", 3),
        {"name": "crawl.info.lag", "ours": 3, "peer": None, "peer_value": None, "ratio": None},
        "without a peer the keys stay",
    ),
    (
        Row("crawl.info.read", 812.0, budget=800),
        {
            "name": "crawl.info.read",
            "ours": 812.0,
            "peer": None,
            "peer_value": None,
            "ratio": None,
            "budget": 800,
        },
        "a budget is shown where there is one",
    ),
]


@pytest.mark.parametrize(("row", "expected", "why"), ROWS)
def test_a_row_is_one_json_object_on_one_line(row: Row, expected: dict[str, object], why: str) -> None:
    assert "\n" not in row.line()
    assert json.loads(row.line()) == expected, why
