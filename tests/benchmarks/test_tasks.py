"""The tasks of the search page: who wins one, and one of them done in a real browser."""

from pathlib import Path

import pytest

from benchmarks.row import Row
from benchmarks.tasks import contested, person
from benchmarks.tasks.asked import TASKS, Right, Task
from benchmarks.tasks.contestants import LYCOSA, contest
from benchmarks.tasks.contested import done, figures, table
from benchmarks.tasks.effort import Effort, usual, won

OURS = Effort(keys=10, bytes=20_000, requests=4, ms=900)

WON = [
    (OURS, [None, None], True, "both peers failed"),
    (None, [None, None], False, "what nobody did is not won"),
    (None, [OURS], False, "failed"),
    (OURS, [OURS], True, "as good in all measures"),
    (OURS, [Effort(11, 30_000, 5, 800)], True, "better in three of four"),
    (OURS, [Effort(10, 19_999, 4, 900)], True, "as good in three of four"),
    (OURS, [Effort(11, 30_000, 3, 899)], False, "two of four are not most of them"),
    (OURS, [None, Effort(9, 30_000, 3, 900)], False, "one peer that is better is enough"),
]


@pytest.mark.parametrize(("ours", "peers", "is_won", "why"), WON, ids=[row[-1] for row in WON])
def test_who_wins(ours: Effort | None, peers: list[Effort | None], is_won: bool, why: str) -> None:
    assert won(ours, peers) == is_won, why


def test_the_usual_run_is_the_middle_one_in_each_measure() -> None:
    slow, small = OURS._replace(ms=2_000), OURS._replace(bytes=1)
    assert usual([slow, small, OURS]) == OURS
    assert usual([slow, None, OURS]) is None


def test_twelve_tasks_of_which_each_can_be_told_from_the_others() -> None:
    assert len({task.name for task in TASKS}) == len({task.typed for task in TASKS}) == 12
    assert all(task.right for task in TASKS)


def test_rows_and_the_table_say_who_failed() -> None:
    efforts = {LYCOSA: OURS, "slow": OURS._replace(ms=1_800), "lost": None}
    rows = list(figures(TASKS[0], efforts))
    assert Row("tasks.name.ms", 900, "slow", 1_800, 2.0) in rows
    assert Row("tasks.name.ms", 900, "lost") in rows
    assert not list(figures(TASKS[0], {LYCOSA: None, "slow": OURS}))
    assert table({TASKS[0]: efforts}).splitlines()[-1] == (
        "| a function by its name: `os.path.join` | 10; 20.0; 4; 0.90 | 10; 20.0; 4; 1.80 | not found | yes |"
    )


@pytest.mark.chromium
@pytest.mark.nginx
@pytest.mark.long
def test_one_task_is_done_in_a_browser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By keyboard alone: the words, Enter, an arrow to the first hit, Enter."""
    monkeypatch.setattr(person, "KEY_SECONDS", 0.0)
    monkeypatch.setattr(contested, "RUNS", 1)
    right = (Right("spiders-en/jumping-spiders.html"),)
    found = Task("found", "a page", "jumping spiders", right, by_keyboard=True)
    lost = found._replace(name="lost", typed="orb webs", right=(Right("spiders-en/missing.html"),))
    with contest(None, tmp_path, peers=()) as held:
        outcome = done(held, [found, lost])
    effort = outcome[found][LYCOSA]
    assert effort
    assert effort.keys == len("jumping spiders") + 3
    assert effort.bytes > 1_000
    assert 2 <= effort.requests <= 4 + len("jumping spiders")
    assert outcome[lost][LYCOSA] is None
