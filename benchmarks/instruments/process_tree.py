"""Measures a process and all that came from it, by proc(5)."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_PROC = Path("/proc")
_TICK = os.sysconf("SC_CLK_TCK")


class ProcessSample(NamedTuple):
    """What a process was started as, and had taken at a look."""

    command: str  # with its arguments, spaces between
    seconds: float  # of a processor
    anonymous: int  # bytes in no file


def sample_tree(number: int) -> dict[int, ProcessSample]:
    """Looks at each process that is still there."""
    return {one: found for one in _family(number) if (found := _look(one))}


def _family(number: int) -> Iterator[int]:
    """Yields a process and all that came from it."""
    yield number
    try:
        threads = [*(_PROC / str(number) / "task").iterdir()]
        children = [child for thread in threads for child in (thread / "children").read_text().split()]
    except OSError:
        return
    for child in children:
        yield from _family(int(child))


def _look(number: int) -> ProcessSample | None:
    try:
        fields = (_PROC / str(number) / "stat").read_text().rpartition(")")[2].split()
        lines = (_PROC / str(number) / "smaps_rollup").read_text().splitlines()
        command = (_PROC / str(number) / "cmdline").read_bytes().rstrip(b"\0").replace(b"\0", b" ")
    except OSError:
        return None
    anonymous = next((int(line.split()[1]) for line in lines if line.startswith("Anonymous:")), 0)
    seconds = (int(fields[11]) + int(fields[12])) / _TICK
    return ProcessSample(command.decode(errors="replace"), seconds, anonymous * 1024)
