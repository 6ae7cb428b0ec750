"""One line that tells how far long work is."""

import logging
import sys
from io import StringIO
from types import SimpleNamespace

import pytest

from engine.monitor import progress_line
from engine.monitor.progress import Progress
from engine.monitor.progress_line import LOG_SECONDS, REDRAW_SECONDS, ProgressLine, format_progress, span


@pytest.mark.requirement(61)
@pytest.mark.parametrize(
    ("progress", "line"),
    [
        (
            Progress(True, 1_204, 310, 2, 3.1),
            "1,204 pages, 3.1/s, 310 queued, 2 errors, about 2 min left",
        ),
        (Progress(True, 0, 5, 0, 0.0), "0 pages, 0.0/s, 5 queued, 0 errors"),
        # A rate of half a minute says nothing of the last second: it would be said again and again.
        (Progress(True, 9, 1, 0, 0.9), "9 pages, 0.9/s, 1 queued, 0 errors"),
        (Progress(True, 90, 29, 0, 1.0), "90 pages, 1.0/s, 29 queued, 0 errors"),
        (Progress(True, 90, 30, 0, 1.0), "90 pages, 1.0/s, 30 queued, 0 errors, about 30 s left"),
        (Progress(True, 1, 0, 1, 0.1), "1 page, 0.1/s, 0 queued, 1 error"),
        (Progress(True, 1, 0, 1, 0.1, to_index=1), "1 page is stored; the index has 1 change to go"),
        (
            Progress(True, 1_204, 0, 2, 0.0, to_index=0),
            "1,204 pages are stored; the index takes up what links and templates say of them",
        ),
        (
            Progress(True, 1_204, 310, 2, 3.1, to_index=96),
            "1,204 pages are stored; the index has 96 changes to go",
        ),
    ],
)
def test_the_line_of_a_crawl(progress: Progress, line: str) -> None:
    assert format_progress(progress) == line


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (40, "40 s"),
        (89, "89 s"),
        (90, "2 min"),
        (180, "3 min"),
        (5_340, "89 min"),
        (5_400, "1 h 30 min"),
        (7_195, "2 h 0 min"),
        (7_800, "2 h 10 min"),
        (172_700, "47 h 58 min"),
        (172_795, "2 days"),
        (260_000, "3 days"),
    ],
)
def test_a_stretch_of_time(seconds: float, words: str) -> None:
    assert span(seconds) == words


class Screen(StringIO):
    """Where standard error goes; a terminal or not."""

    def __init__(self, *, terminal: bool) -> None:
        super().__init__()
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal


@pytest.mark.parametrize(
    ("terminal", "unit", "drawn", "logged", "why"),
    [
        (True, REDRAW_SECONDS, ["0", "1", "2.5", ""], [], "at once, and rewritten as often as the eye sees"),
        (False, LOG_SECONDS, [], ["1", "2.5"], "what takes a moment leaves no line in a log"),
    ],
)
def test_how_often_the_line_is_shown(
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    terminal: bool,
    unit: float,
    drawn: list[str],
    logged: list[str],
    why: str,
) -> None:
    """However often it is asked for; at the end a terminal has its line back."""
    now, screen = [100.0], Screen(terminal=terminal)
    monkeypatch.setattr(progress_line, "time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr(sys, "stderr", screen)
    with caplog.at_level(logging.INFO, "lycosa"), ProgressLine() as line:
        for pauses in (0, 0.5, 1, 1.5, 2.5, 3):
            now[0] = 100.0 + pauses * unit
            line.show(f"{pauses}")
    assert screen.getvalue().split("\r\x1b[K")[1:] == drawn, why
    assert caplog.messages == logged, why
