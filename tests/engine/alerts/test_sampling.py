"""What is noted of each minute, by whoever looks for alarms."""

from contextlib import closing
from pathlib import Path

import pytest

from engine import generations
from engine.alerts.sampling import sample_crawl
from engine.config import Config
from engine.history import load_samples, open_history
from engine.history.samples import Sample
from engine.index.indexing.follow import Follower
from engine.store import Store, end_run, record_heartbeat, start_run
from tests.crawling import EPOCH
from tests.engine.index.source import Memory, corpus

MINUTE = int(EPOCH // 60)


def samples(data: Path) -> list[Sample]:
    with open_history(data) as history:
        return [*load_samples(history, 0)]


def test_all_processes_of_a_crawl_add_up(tmp_path: Path) -> None:
    counts = {"stored": 10, "unchanged": 2, "queued": 5, "errors": 1, "per_second": 0.5, "bytes": 9}
    with closing(Store(tmp_path)) as store, store.engine.begin() as connection:
        runs = [start_run(connection, "crawl", EPOCH) for _ in range(2)]
        for run in runs:
            record_heartbeat(connection, run, EPOCH, counts)
    sample_crawl(Config(tmp_path), EPOCH + 10)
    with closing(Store(tmp_path)) as store, store.engine.begin() as connection:
        for run in runs:
            end_run(connection, run, EPOCH + 20, "finished")
    sample_crawl(Config(tmp_path), EPOCH + 60)
    assert samples(tmp_path) == [Sample(MINUTE, 24, 2, 10, 1.0, None), Sample(MINUTE + 1, 0, 0, 0, 0.0, None)]


def test_the_age_of_the_index(tmp_path: Path) -> None:
    Follower(Memory(*corpus(3)), tmp_path).catch_up()
    sample_crawl(Config(tmp_path), 4_000_000_000)
    (one,) = samples(tmp_path)
    assert one.index_age is not None
    assert one.index_age > 1_000_000


@pytest.mark.folder
def test_an_index_without_a_commit_has_no_age(tmp_path: Path) -> None:
    """As when no host of the first crawl answered."""
    generations.publish(tmp_path, generations.create_draft(tmp_path, "first"))
    sample_crawl(Config(tmp_path), EPOCH)
    assert [one.index_age for one in samples(tmp_path)] == [None]
