"""The tasks of the search page: who wins one, and one of them done in a real browser."""

from pathlib import Path

import pytest

from benchmarks.instruments.row import Row
from benchmarks.tasks import contested, person
from benchmarks.tasks.asked import TASKS, RightPage, Task
from benchmarks.tasks.contestants import LYCOSA, open_contest
from benchmarks.tasks.contested import compute_figures, format_table, run_tasks
from benchmarks.tasks.effort import BUDGET, UNNOTICED_MS, Effort, Outcome, decide_outcome, median_effort

OURS = Effort(keys=10, bytes=20_000, requests=4, ms=900)

SOON, LATE = OURS.ms + UNNOTICED_MS, OURS.ms + UNNOTICED_MS + 1
HEAVY = OURS._replace(bytes=BUDGET + 1)

OUTCOMES = [
    (OURS, [None, None], Outcome.WON, "both peers failed"),
    (None, [None, None], Outcome.LOST, "what nobody did is not won"),
    (None, [OURS], Outcome.LOST, "failed"),
    (OURS, [OURS], Outcome.EVEN, "nothing to choose between them"),
    (OURS, [OURS._replace(ms=SOON)], Outcome.EVEN, "nobody notices"),
    (OURS, [OURS._replace(ms=LATE), None], Outcome.WON, "one took longer, one failed"),
    (OURS, [OURS._replace(ms=LATE), OURS], Outcome.EVEN, "each has to be beaten"),
    (OURS._replace(ms=LATE), [OURS, None], Outcome.LOST, "one peer that is better is enough"),
    (OURS, [Effort(9, 100, 1, LATE)], Outcome.WON, "bytes and requests that nobody feels"),
    (HEAVY, [OURS._replace(ms=LATE)], Outcome.LOST, "more than the peer and than there may be"),
    (HEAVY, [HEAVY._replace(ms=LATE)], Outcome.WON, "the peer sent as much"),
]


@pytest.mark.parametrize(("ours", "peers", "came", "why"), OUTCOMES, ids=[row[-1] for row in OUTCOMES])
def test_who_wins(ours: Effort | None, peers: list[Effort | None], came: Outcome, why: str) -> None:
    assert decide_outcome(ours, peers) == came, why


def test_the_usual_run_is_the_middle_one_in_each_measure() -> None:
    slow, small = OURS._replace(ms=2_000), OURS._replace(bytes=1)
    assert median_effort([slow, small, OURS]) == OURS
    assert median_effort([slow, None, OURS]) is None


def test_twelve_tasks_of_which_each_can_be_told_from_the_others() -> None:
    assert len({task.name for task in TASKS}) == len({task.typed for task in TASKS}) == 12
    assert all(task.right for task in TASKS)


def test_rows_and_the_table_say_who_failed() -> None:
    efforts = {LYCOSA: OURS, "slow": OURS._replace(ms=1_800), "lost": None}
    rows = list(compute_figures(TASKS[0], efforts))
    assert Row("tasks.name.ms", 900, "slow", 1_800, 2.0) in rows
    assert Row("tasks.name.ms", 900, "lost") in rows
    assert not list(compute_figures(TASKS[0], {LYCOSA: None, "slow": OURS}))
    assert format_table({TASKS[0]: efforts}).splitlines()[-1] == (
        "| a function by its name: `os.path.join` | 10; 20.0; 4; 0.90 | 10; 20.0; 4; 1.80 | not found | won |"
    )


@pytest.mark.chromium
@pytest.mark.nginx
@pytest.mark.long
def test_one_task_is_done_in_a_browser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By keyboard alone: the words, Enter, an arrow to the first hit, Enter; or to the page's own name."""
    monkeypatch.setattr(person, "KEY_SECONDS", 0.0)
    monkeypatch.setattr(contested, "RUNS", 1)
    right = (RightPage("spiders-en/jumping-spiders.html"),)
    found = Task("found", "a page", "spiders that jump", right, by_keyboard=True)
    named = found._replace(name="named", typed="jumping spiders", sparing=True)
    lost = found._replace(name="lost", typed="orb webs", right=(RightPage("spiders-en/missing.html"),))
    with open_contest(None, tmp_path, peers=()) as held:
        cost_of = run_tasks(held, [found, named, lost])
    effort, shorter = cost_of[found][LYCOSA], cost_of[named][LYCOSA]
    assert effort
    assert effort.keys == len(found.typed) + 3
    assert effort.bytes > 1_000
    assert 2 <= effort.requests <= 4 + len(found.typed)
    assert shorter
    assert shorter.keys < len(named.typed)
    assert cost_of[lost][LYCOSA] is None
