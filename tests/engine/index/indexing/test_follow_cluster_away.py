"""A cluster that is away, or takes no more: the follower waits, also at the end of a crawl; it tells once."""

from contextlib import nullcontext
from itertools import repeat
from pathlib import Path

import pytest

from engine.index.indexing.follow import END_SECONDS, LOOK_SECONDS, Follower, follow
from engine.opensearch.errors import UnavailableError
from tests.engine.index.indexing.test_follow import A, urls
from tests.engine.index.source import Memory, page


class ManualClock:
    """A clock that stands still but for sleep and work."""

    def __init__(self) -> None:
        self.now, self.slept = 0.0, list[float]()

    def monotonic(self) -> float:
        """The time."""
        return self.now

    def sleep(self, seconds: float) -> None:
        """Passes it."""
        self.slept.append(seconds)
        self.now += seconds


WAITS = round(END_SECONDS / LOOK_SECONDS)


@pytest.mark.parametrize(
    ("away", "lasts", "waits", "ends", "why"),
    [
        (3, 0.0, 3, True, "it is back"),
        (99, 0.0, 1 + WAITS, False, "it stays away"),
        (99, END_SECONDS / 2, 3, False, "a bulk request is tried for half a minute, and refused"),
    ],
)
def test_a_cluster_that_is_away_is_waited_for(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    away: int,
    lasts: float,
    waits: int,
    ends: bool,
    why: str,
) -> None:
    """Also at the end of a crawl, a while; the log says so once, whatever is counted in what it says."""
    clock = ManualClock()
    monkeypatch.setattr("engine.index.indexing.follow.time", clock)
    follower, refusals = Follower(Memory(page(A, "amber")), tmp_path), iter(range(away))
    step = follower.step

    def refuse(learning: bool = False) -> int:
        if (number := next(refusals, None)) is not None:
            clock.now += lasts
            raise UnavailableError(f"the cluster is away, its {number}th task", 429, "rejected")
        return step(learning)

    monkeypatch.setattr(follower, "step", refuse)
    with nullcontext() if ends else pytest.raises(UnavailableError):
        follow(follower, lambda: bool(clock.slept), clock.sleep)
    assert clock.slept == [LOOK_SECONDS] * waits, why
    assert not ends or urls(tmp_path, "amber") == [A]
    assert caplog.text.count("the index waits: the cluster is away") == 1


def test_each_kind_of_refusal_is_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A full disk, too, where there was much to do before."""
    kinds = "rejected", "blocked", "rejected", "blocked", ""
    follower, refusals = Follower(Memory(), tmp_path), iter(kinds)

    def refuse(learning: bool = False) -> int:
        if (kind := next(refusals, None)) is not None:
            raise UnavailableError(f"it is {kind}", 429, kind)
        return 0

    monkeypatch.setattr("engine.index.indexing.follow.time", ManualClock())
    monkeypatch.setattr(follower, "step", refuse)
    follow(follower, lambda: True, repeat)
    assert [record.getMessage().rpartition(" ")[2] for record in caplog.records] == [
        "rejected",
        "blocked",
        "",
    ]
