import time

from benchmarks.instruments.stopwatch import Stopwatch


def work(seconds: float) -> None:
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def test_a_station_inside_another_counts_once() -> None:
    began, watch = time.process_time(), Stopwatch()
    with watch("store"):
        with watch("gates"):
            work(0.02)
        work(0.01)
    total = time.process_time() - began
    assert watch.seconds["gates"] >= 0.02
    assert watch.seconds["store"] >= 0.01
    assert sum(watch.seconds.values()) <= total
