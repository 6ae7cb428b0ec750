"""Which functions some work spends its time in, by Python's own profiler.

What a function calls that is not written in Python counts for it. The profiler makes calls of Python's
functions dearer, so shares tell what comes first; how long it takes is measured without it.
"""

from collections.abc import Callable, Iterator
from cProfile import Profile
from pathlib import Path

LEAST = 0.03  # of the time: what has less is left out


def profile_functions(work: Callable[[], object]) -> Iterator[tuple[str, float]]:
    """Functions by their own share of the time, the largest first: (room.function, share)."""
    profile = Profile(builtins=False)
    profile.runcall(work)
    own: dict[str, float] = {}
    for entry in profile.getstats():
        if not isinstance(entry.code, str):
            name = f"{Path(entry.code.co_filename).stem}.{entry.code.co_name}"
            own[name] = own.get(name, 0.0) + entry.inlinetime
    whole = sum(own.values())
    for name in sorted(own, key=own.__getitem__, reverse=True):
        if own[name] >= LEAST * whole:
            yield name, own[name] / whole
