"""Measures where the seconds of a crawl go: what its processes take, what is committed, what is indexed."""

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from benchmarks.instruments.plot import Curve
from benchmarks.instruments.process_tree import ProcessSample, sample_tree
from benchmarks.instruments.row import Row

SAMPLE_SECONDS = 0.5
WINDOW_SECONDS = 3.0  # over which a rate is drawn: a commit of fifty pages comes several times in it
ROLES = CRAWLER, READERS, INDEX, OTHERS = "crawler", "readers", "index", "others"
MODULES = {"engine.workers": READERS, "engine.index": INDEX}  # in a command line; else it is the crawler's
PERCENT = 100.0
LEAST = 1.0  # what is drawn in the place of less: the axis is logarithmic
_TICK = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Moment:
    """`at` in seconds since the command began; `committed` and `lag` in changes of pages.

    `taken` are seconds of a processor by role.
    """

    at: float
    committed: int
    lag: int
    taken: Mapping[str, float]


class Timeline:
    """Looks at a crawl's processes now and then."""

    def __init__(self, process: int) -> None:
        self.moments: list[Moment] = []
        self._process = process
        self._seen: dict[int, ProcessSample] = {}
        self._began, self._machine = time.monotonic(), _machine_seconds()

    def look(self, committed: int, lag: int) -> None:
        """Adds a moment, if the last is long enough ago."""
        at = time.monotonic() - self._began
        if self.moments and at < self.moments[-1].at + SAMPLE_SECONDS:
            return
        self._seen |= sample_tree(self._process)
        taken = dict.fromkeys(ROLES, 0.0)
        for one in self._seen.values():
            taken[_role(one.command)] += one.seconds
        taken[OTHERS] = _machine_seconds() - self._machine - sum(taken.values())
        self.moments.append(Moment(at, committed, lag, taken))


def timeline_rows(moments: Sequence[Moment]) -> Iterator[Row]:
    """Seconds to the first page and after the last, and how much of a core each role takes between them."""
    most = moments[-1].committed
    first = next((one for one in moments if one.committed), moments[-1])
    last = next(one for one in moments if one.committed == most)
    yield Row("crawl.info.start_seconds", first.at)
    yield Row("crawl.info.end_seconds", moments[-1].at - last.at)
    seconds = last.at - first.at or SAMPLE_SECONDS
    shares = {role: (last.taken[role] - first.taken[role]) / seconds for role in ROLES}
    for role, share in shares.items():
        yield Row(f"crawl.info.cores.{role}", share)
    yield Row("crawl.info.cores.idle", (os.cpu_count() or 1) - sum(shares.values()))


def timeline_curves(moments: Sequence[Moment]) -> list[Curve]:
    """Pages a second, changes that are not indexed yet, and per cent of a core by role."""
    steps = list(_windows(moments))
    curves = [
        Curve("pages a second", _rates(steps, lambda one: one.committed)),
        Curve("changes not yet indexed", [(now.at, max(now.lag, LEAST)) for _, now in steps]),
    ]
    for role in ROLES:
        points = _rates(steps, lambda one, role=role: PERCENT * one.taken[role])  # type: ignore[misc]
        curves.append(Curve(f"{role}, % of a core", points, dashed=True))
    return curves


def _windows(moments: Sequence[Moment]) -> Iterator[tuple[Moment, Moment]]:
    """Yields each moment but the first with the last that is WINDOW_SECONDS ago, or with the first."""
    behind = 0
    for number, (_, now) in enumerate(pairwise(moments), 1):
        while behind + 1 < number and now.at - moments[behind + 1].at >= WINDOW_SECONDS:
            behind += 1
        yield moments[behind], now


def _rates(
    steps: Sequence[tuple[Moment, Moment]], count: Callable[[Moment], float]
) -> list[tuple[float, float]]:
    """Points of what is counted a second."""
    return [(now.at, max((count(now) - count(then)) / (now.at - then.at), LEAST)) for then, now in steps]


def _role(command: str) -> str:
    return next((role for part, role in MODULES.items() if part in command), CRAWLER)


def _machine_seconds() -> float:
    """What all processes of the machine have taken: the first line of /proc/stat but for the idle times."""
    fields = [int(field) for field in Path("/proc/stat").read_text().partition("\n")[0].split()[1:9]]
    return (sum(fields) - fields[3] - fields[4]) / _TICK
