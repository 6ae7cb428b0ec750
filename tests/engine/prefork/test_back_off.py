"""How long it takes until a worker that died is replaced."""

from collections.abc import Sequence

import pytest

from engine.prefork.back_off import STEADY_SECONDS, BackOff


@pytest.mark.parametrize(
    ("lived", "delays", "why"),
    [
        ([3_600.0], [0.1], "once in an hour: at once, nearly"),
        ([0.0, 0.0, 0.0, 0.0], [0.1, 0.2, 0.4, 0.8], "each dies of its start: twice as long each time"),
        ([0.0] * 12, [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 30.0, 30.0, 30.0], "never longer"),
        (
            [0.0, 0.0, STEADY_SECONDS, 0.0],
            [0.1, 0.2, 0.1, 0.2],
            "one that lived for long: from the beginning",
        ),
    ],
)
def test_when_another_starts(lived: Sequence[float], delays: Sequence[float], why: str) -> None:
    back_off = BackOff()
    assert [back_off.count_death(seconds) for seconds in lived] == pytest.approx(delays), why
