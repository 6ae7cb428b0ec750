"""Runs all tasks with all contestants; makes rows of figures and the table of docs/benchmarks.md."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.instruments.row import Row, cost_row, report_progress
from benchmarks.sites import Site
from benchmarks.tasks.asked import TASKS, Task
from benchmarks.tasks.contestants import LYCOSA, Contest, open_contest
from benchmarks.tasks.effort import Effort, Outcome, decide_outcome, median_effort
from benchmarks.tasks.person import count_keys, measure_effort, open_browser

PACKAGES = ("python3.11-doc",)
RUNS = 3

Efforts = Mapping[str, Effort | None]
"""By contestant; None for one that failed."""


def rows(site: Site) -> Iterator[Row]:
    """A row for each measure of each task and peer; then how many were won, and lost. Raises EngineError."""
    with TemporaryDirectory() as run, open_contest(site, Path(run)) as held:
        cost_of = run_tasks(held, TASKS)
    for task, efforts in cost_of.items():
        yield from compute_figures(task, efforts)
    outcomes = Counter(map(_outcome, cost_of.values()))
    yield Row("tasks.won", outcomes[Outcome.WON], budget=len(TASKS))
    yield Row("tasks.lost", outcomes[Outcome.LOST], budget=0)
    yield Row("tasks.failed", sum(efforts[LYCOSA] is None for efforts in cost_of.values()), budget=0)
    report_progress(format_table(cost_of))


def run_tasks(held: Contest, tasks: Iterable[Task]) -> dict[Task, Efforts]:
    """Each task by each contestant, in turns."""
    cost_of: dict[Task, Efforts] = {}
    with open_browser() as opened:
        for task in tasks:
            efforts = {}
            for one in held.contestants:
                keys = count_keys(opened, task, one, held.begin)
                efforts[one.name] = median_effort(
                    [measure_effort(opened, task, one, held.begin, keys) for _ in range(RUNS)]
                )
            report_progress(f"{task.name}: {efforts}")
            cost_of[task] = efforts
    return cost_of


def format_table(cost_of: Mapping[Task, Efforts]) -> str:
    """Markdown: a line for each task, with keys, kilobytes, requests and seconds of each contestant."""
    names = list(next(iter(cost_of.values())))
    lines = [["wanted", *names, "outcome"], ["---"] * (len(names) + 2)]
    for task, efforts in cost_of.items():
        wish = f"{task.wish}: `{task.typed}`"
        lines.append([wish, *map(_cell, efforts.values()), _outcome(efforts)])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(one: Effort | None) -> str:
    if not one:
        return "not found"
    return f"{one.keys}; {one.bytes / 1000:.1f}; {one.requests}; {one.ms / 1000:.2f}"


def compute_figures(task: Task, efforts: Efforts) -> Iterator[Row]:
    """A row for each measure and peer; none where Lycosa failed."""
    ours = efforts[LYCOSA]
    for measure in Effort._fields if ours else ():
        mine = getattr(ours, measure)
        for peer, theirs in efforts.items():
            name = f"tasks.{task.name}.{measure}"
            if peer != LYCOSA:
                yield (
                    cost_row(name, mine, peer, getattr(theirs, measure)) if theirs else Row(name, mine, peer)
                )


def _outcome(efforts: Efforts) -> Outcome:
    return decide_outcome(efforts[LYCOSA], [one for name, one in efforts.items() if name != LYCOSA])
