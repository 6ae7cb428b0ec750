"""Where the seconds of a crawl went is told in rows and drawn."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from benchmarks.instruments.plot import Curve, write_plot, write_timeline
from benchmarks.instruments.timeline import (
    CRAWLER,
    INDEX,
    OTHERS,
    READERS,
    SAMPLE_SECONDS,
    Moment,
    Timeline,
    timeline_curves,
    timeline_rows,
)


def moment(at: float, committed: int, lag: int = 0, crawler: float = 0, index: float = 0) -> Moment:
    return Moment(at, committed, lag, {CRAWLER: crawler, READERS: 0.0, INDEX: index, OTHERS: 0.0})


MOMENTS = [
    moment(0, 0),
    moment(1, 0, crawler=1),
    moment(2, 50, 50, crawler=1.5),
    moment(6, 850, 250, crawler=3.5, index=1),
    moment(7, 1_050, 50, crawler=4, index=2),
    moment(8, 1_050, 0, crawler=4, index=3),
    moment(9, 1_050, 0, crawler=4, index=3),
]


def test_rows() -> None:
    rows = {row.name.removeprefix("crawl.info."): row.ours for row in timeline_rows(MOMENTS)}
    assert rows.pop("cores.idle") == pytest.approx((os.cpu_count() or 1) - 0.9)
    assert rows == {
        "start_seconds": 2,
        "end_seconds": 2,
        "cores.crawler": 0.5,
        "cores.readers": 0,
        "cores.index": pytest.approx(0.4),
        "cores.others": 0,
    }


@pytest.mark.parametrize("moments", [[moment(0, 0)], [moment(0, 0), moment(9, 0)], [moment(0, 5)]], ids=len)
def test_rows_of_a_crawl_without_a_page_or_of_one_moment(moments: list[Moment]) -> None:
    assert {row.ours for row in timeline_rows(moments)} >= {0.0}


def test_curves() -> None:
    curves = {curve.name: curve.points for curve in timeline_curves(MOMENTS)}
    assert curves["pages a second"] == [
        (1, 1.0),  # what is none is drawn as one
        (2, 25),
        (6, 200),
        (7, 200),
        (8, pytest.approx(1000 / 6)),  # of six seconds: the moment after that is less than three ago
        (9, pytest.approx(200 / 3)),
    ]
    assert [y for _, y in curves["changes not yet indexed"]] == [1, 50, 250, 50, 1, 1]
    assert curves["crawler, % of a core"][:2] == [(1, 100), (2, 75)]
    assert curves["index, % of a core"][-2:] == [(8, 50), (9, pytest.approx(200 / 3))]


def test_the_plot(tmp_path: Path) -> None:
    write_timeline(tmp_path / "x.svg", "Seconds of <a> crawl", timeline_curves(MOMENTS))
    drawn = (tmp_path / "x.svg").read_text()
    assert drawn.count("<polyline") == 6
    assert "Seconds of &lt;a&gt; crawl" in drawn
    assert "<circle" not in drawn
    assert len({line.split('"')[3] for line in drawn.splitlines() if line.startswith("<polyline")}) == 6
    marks = [int(part.partition("<")[0]) for part in drawn.split('text-anchor="middle">')[1:]]
    assert marks == [0, 2, 4, 6, 8, 10]


def test_curves_that_are_compared_have_one_colour(tmp_path: Path) -> None:
    names = [("ours", False), ("ours, more", False), ("theirs", True), ("theirs, more", True)]
    write_plot(tmp_path / "x.svg", "x", [Curve(name, [(1, 2), (10, 20)], dashed) for name, dashed in names])
    lines = [line for line in (tmp_path / "x.svg").read_text().splitlines() if line.startswith("<polyline")]
    first, second, third, fourth = (line.split('"')[3] for line in lines)
    assert (first, second) == (third, fourth)
    assert first != second
    assert ["dasharray" in line for line in lines] == [False, False, True, True]


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="only Linux tells by /proc")
def test_roles_of_processes() -> None:
    burn = "import time\nwhile time.process_time() < 0.4: pass\nprint(flush=True)\ntime.sleep(60)"
    with subprocess.Popen([sys.executable, "-c", burn, "engine.index.x"], stdout=subprocess.PIPE) as process:
        timeline = Timeline(process.pid)
        timeline.look(3, 2)
        timeline.look(4, 2)  # too soon to be looked at
        assert process.stdout
        process.stdout.readline()
        time.sleep(SAMPLE_SECONDS)
        timeline.look(5, 1)
        process.kill()
    first, last = timeline.moments
    assert (first.committed, last.committed, last.lag) == (3, 5, 1)
    assert last.at - first.at >= SAMPLE_SECONDS
    assert last.taken[INDEX] > 0.3  # of ticks
    assert last.taken[CRAWLER] == 0
