"""What goes on being wrong is said once an hour."""

import pytest

from engine.monitor import alarm
from engine.monitor.alarm import AGAIN_SECONDS, Alarm


def test_the_same_is_said_once_an_hour() -> None:
    said, now = list[str](), [0.0]
    raised = Alarm(said.append, lambda: now[0])
    for at in (0.0, 1.0, AGAIN_SECONDS - 1, AGAIN_SECONDS, AGAIN_SECONDS + 1):
        now[0] = at
        raised(f"file is damaged, seen at {at:.0f}", "file")
    assert said == ["file is damaged, seen at 0", f"file is damaged, seen at {AGAIN_SECONDS:.0f}"]


def test_each_thing_is_said_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is remembered is bounded."""
    monkeypatch.setattr(alarm, "MAX_KNOWN", 3)
    said = list[str]()
    raised = Alarm(said.append, lambda: 0.0)
    for number in [*range(10), 9]:
        raised(f"file {number}")
    assert said == [f"file {number}" for number in range(10)]
    assert len(raised._said) <= 3


def test_one_of_several_processes_says_it_for_all() -> None:
    said = list[str]()
    for_all = Alarm(said.append, lambda: 0.0)
    workers = [Alarm(lambda _: pytest.fail("said twice"), lambda: 0.0) for _ in range(3)]
    for worker in workers:
        worker.relay(for_all)
        worker("file is damaged", "file")
    assert said == ["file is damaged"]
