"""Measures memory in a process of its own, where threads of other tests take none."""

import re
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path


def measure_growth(function: Callable[[Path], object], usual: Path, paths: Sequence[Path]) -> list[int]:
    """Returns by how many KiB a process grows as it calls this function of a module for each of these files.

    `usual` comes before, so that what is imported and kept once is not counted.
    """
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return pool.submit(_measure, function, usual, paths).result()


def _measure(function: Callable[[Path], object], usual: Path, paths: Sequence[Path]) -> list[int]:
    function(usual)
    peaks = [_read_peak()]
    for path in paths:
        function(path)
        peaks.append(_read_peak())
    return [after - before for before, after in pairwise(peaks)]


def _read_peak() -> int:
    """Reads the most that this process has had at a time; getrusage() begins with its parent's."""
    found = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text(encoding="ascii"))
    assert found
    return int(found[1])
