"""How often one may try to log in: one client, and all together."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from engine.admin.attempts import MAX_PER_HOUR, Visitor, add_attempt, seconds_to_wait
from engine.database import ADMIN, write_side

ONE = Visitor("192.0.2.1", "4:1", is_local=False)
OTHER = Visitor("192.0.2.2", "4:2", is_local=False)
HERE = Visitor("127.0.0.1", "4:127", is_local=True)
DAY = 86_400.0


@pytest.mark.parametrize(
    ("failed", "asks", "now", "wait", "why"),
    [
        ([], ONE, 0, 0, "the first"),
        ([(ONE, 0)] * 4, ONE, 1, 0, "people mistype"),
        ([(ONE, 0)] * 5, ONE, 1, 29, "half a minute after the fifth"),
        ([(ONE, 0)] * 5, ONE, 30, 0, "and then once more"),
        ([(ONE, 0)] * 6, ONE, 0, 60, "twice as long"),
        ([(ONE, 0)] * 30, ONE, 0, 3_600, "an hour at most"),
        ([(ONE, 0)] * 4_000, ONE, 0, 3_600, "no number grows out of bounds"),
        ([(ONE, 0)] * 30, OTHER, 0, 0, "another client need not wait"),
        ([(ONE, 0)] * 30, HERE, 0, 0, "nor does this machine"),
        ([(ONE, 0)] * 30, ONE, DAY, 0, "a day later nothing is known of it"),
        ([(Visitor("", str(n), is_local=False), n) for n in range(MAX_PER_HOUR)], ONE, 60, 3_540, "a botnet"),
        (
            [(Visitor("", str(n), is_local=False), n) for n in range(MAX_PER_HOUR)],
            HERE,
            60,
            0,
            "locks out none here",
        ),
        ([(Visitor("", str(n), is_local=False), n) for n in range(MAX_PER_HOUR)], ONE, 3_600, 0, "is over"),
        ([(HERE, 0)] * MAX_PER_HOUR, ONE, 1, 0, "who is here does not lock out others either"),
    ],
)
def test_how_long_one_waits(
    tmp_path: Path, failed: Sequence[tuple[Visitor, float]], asks: Visitor, now: float, wait: float, why: str
) -> None:
    with write_side(tmp_path, ADMIN) as connection:
        for visitor, at in failed:
            add_attempt(connection, visitor, at)
        assert seconds_to_wait(connection, asks, now) == wait, why
