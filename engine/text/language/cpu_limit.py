"""Pauses the CPU-time limit while shared models load."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def pause_cpu_limit() -> Iterator[None]:
    """Pauses the limit: what is done in here costs none of a page's CPU seconds (engine.workers)."""
    left, _ = signal.setitimer(signal.ITIMER_PROF, 0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, left)  # 0.0, which starts nothing, where none was running
