"""One line that tells how far long work is."""

import pytest

from engine.monitor.progress import Progress
from engine.monitor.progress_line import format_progress, span


@pytest.mark.requirement(61)
@pytest.mark.parametrize(
    ("progress", "line"),
    [
        (
            Progress(True, 1_204, 310, 2, 3.1),
            "1,204 pages, 3.1/s, 310 queued, 2 errors, about 2 min left",
        ),
        (Progress(True, 0, 5, 0, 0.0), "0 pages, 0.0/s, 5 queued, 0 errors"),
        (
            Progress(True, 1_204, 310, 2, 3.1, to_index=96),
            "1,204 pages are stored; the index has 96 changes to go",
        ),
    ],
)
def test_the_line_of_a_crawl(progress: Progress, line: str) -> None:
    assert format_progress(progress) == line


@pytest.mark.parametrize(
    ("seconds", "words"), [(40, "40 s"), (180, "3 min"), (7_800, "2 h 10 min"), (260_000, "3 days")]
)
def test_a_stretch_of_time(seconds: float, words: str) -> None:
    assert span(seconds) == words
