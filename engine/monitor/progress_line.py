"""Formats progress as one line: rewritten on a terminal, logged now and then elsewhere."""

import logging
import sys
import time
from types import TracebackType
from typing import Self

from engine.monitor.progress import Progress

LOG_SECONDS = 30.0  # between lines of a log
REDRAW_SECONDS = 0.2  # between drawings on a terminal; the eye sees no more

logger = logging.getLogger("lycosa")


class ProgressLine:
    """A context manager around the work; `show` may be called as often as one likes."""

    def __init__(self) -> None:
        self._terminal = sys.stderr.isatty()
        self._pause = REDRAW_SECONDS if self._terminal else LOG_SECONDS
        self._shown = time.monotonic() - (0.0 if not self._terminal else REDRAW_SECONDS)

    def show(self, text: str) -> None:
        """Shows the progress, unless it did so a moment ago."""
        if time.monotonic() - self._shown < self._pause:
            return
        self._shown = time.monotonic()
        if self._terminal:
            sys.stderr.write(f"\r\x1b[K{text}")
            sys.stderr.flush()
        else:
            logger.info(text)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._terminal:
            sys.stderr.write("\r\x1b[K")


def format_progress(progress: Progress) -> str:
    """Formats `1,204 pages, 3.1/s, 310 queued, 2 errors, about 2 min left`, or what is left to index."""
    if progress.to_index is not None:
        stored, changes = count(progress.pages, "page is", "pages are"), count(progress.to_index, "change")
        left = (
            f"has {changes} to go" if progress.to_index else "takes up what links and templates say of them"
        )
        return f"{stored} stored; the index {left}"
    left = f", about {span(progress.seconds_left)} left" if progress.seconds_left is not None else ""
    return (
        f"{count(progress.pages, 'page')}, {progress.per_second:,.1f}/s, {progress.queued:,} queued, "
        f"{count(progress.errors, 'error')}{left}"
    )


def count(number: float, one: str, many: str = "") -> str:
    """Formats a whole number with its noun: 1 page, 1,204 pages."""
    return f"{int(number):,} {one if number == 1 else many or f'{one}s'}"


def span(seconds: float) -> str:
    """Formats a duration: 40 s, 3 min, 2 h 10 min, 3 days."""
    minutes = round(seconds / 60)
    hours = minutes // 60  # of the minutes that are said: a second before two hours is two hours
    if seconds < 90:
        return f"{seconds:.0f} s"
    if minutes < 90:
        return f"{minutes} min"
    return f"{hours} h {minutes % 60} min" if hours < 48 else f"{hours // 24} days"
