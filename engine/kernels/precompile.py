"""Compiles all kernels of some modules before they are asked for, and puts them into the cache.

`python -m engine.kernels.precompile MODULE ...`. As many processes as there are processors, MAX_PROCESSES at
most, take turns at the longest kernel whose parts are compiled: these they load from the cache.
"""

import os
import sys
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from multiprocessing import connection, get_context
from typing import Any

from engine.kernels.cache import collect_code, list_named
from engine.kernels.decorators import kernels
from engine.kernels.kernel import Kernel
from engine.kernels.notice import NOTICE

MAX_PROCESSES = 4
MAX_KERNELS = 1_000  # how many there are is known to the processes alone, once each has imported them
PAUSE = 0.05  # seconds until a process looks again for a kernel that it may compile
WAITING, TAKEN, DONE = range(3)

States = Any
"""A shared array: how far each kernel is, in the order in which they are defined."""


def main(modules: Sequence[str]) -> int:
    """Compiles in several processes; returns 1 if one of them failed."""
    context = get_context("spawn")
    states = context.Array("b", MAX_KERNELS)
    count = min(MAX_PROCESSES, os.cpu_count() or 1)
    processes = [
        context.Process(target=compile_in_turns, args=(modules, states, at == 0)) for at in range(count)
    ]
    for one in processes:
        one.start()
    running: dict[Any, Any] = {one.sentinel: one for one in processes}
    while running:
        (ended, *_) = connection.wait(list(running))
        one = running.pop(ended)
        one.join()  # only then is its exit code there
        if one.exitcode:
            for other in processes:
                other.kill()
            return 1
    return 0


def load_kernels(modules: Sequence[str]) -> list[Kernel]:
    """Imports the modules, for their kernels; in each process these have the same order."""
    for name in modules:
        import_module(name)
    return kernels


def compile_in_turns(modules: Sequence[str], states: States, tells: bool) -> None:
    """Compiles kernels that no other process has taken until all are; one process `tells` that it does."""
    NOTICE.written = not tells
    kernels = load_kernels(modules)
    parts = [find_parts(kernel, kernels) for kernel in kernels]
    longest = sorted(range(len(kernels)), key=lambda at: -_size(kernels[at]))
    ready = set[int]()
    while not all(state == DONE for state in states[: len(kernels)]):
        at = _take(longest, parts, states)
        if at is None:
            time.sleep(PAUSE)
            continue
        for one in sorted({*parts[at], at} - ready):
            kernels[one].compile()
            ready.add(one)
        states[at] = DONE


def find_parts(kernel: Kernel, kernels: Sequence[Kernel]) -> set[int]:
    """Finds which kernels one calls, by themselves or from functions that are put into it."""
    numbers = {one.py_func: at for at, one in enumerate(kernels)}
    found, seen = set[int](), set[Callable[..., Any]]()
    left = [kernel.py_func]
    while left:
        for part in list_named(left.pop()):
            if part not in seen:
                seen.add(part)
                left.append(part)
                found |= {numbers[part]} if part in numbers else set()
    return found


def _take(order: Sequence[int], parts: Sequence[set[int]], states: States) -> int | None:
    """Takes the first kernel in this order that waits and whose parts are compiled."""
    with states.get_lock():
        for at in order:
            if states[at] == WAITING and all(states[part] == DONE for part in parts[at]):
                states[at] = TAKEN
                return at
    return None


def _size(kernel: Kernel) -> int:
    return sum(map(len, collect_code(kernel.py_func)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
