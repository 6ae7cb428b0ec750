"""A few numbers of each minute, for a week and a day."""

from pathlib import Path

from engine.history.host_counts import open_history
from engine.history.samples import KEPT_MINUTES, Sample, load_samples, record_sample


def sample(minute: int, queued: int = 0) -> Sample:
    return Sample(minute, 1, 2, queued, 0.5, None)


def test_the_last_of_a_minute_counts_and_the_oldest_go(tmp_path: Path) -> None:
    with open_history(tmp_path) as history:
        for one in (sample(1), sample(2), sample(2, queued=7)):
            record_sample(history, one)
        assert load_samples(history, 0) == [sample(1), sample(2, queued=7)]
        assert load_samples(history, 1) == [sample(2, queued=7)]
        record_sample(history, sample(KEPT_MINUTES + 1))
        assert [one.minute for one in load_samples(history, 0)] == [2, KEPT_MINUTES + 1]


def test_an_older_file_gets_its_table(tmp_path: Path) -> None:
    with open_history(tmp_path) as history:
        history.execute("DROP TABLE samples")
    with open_history(tmp_path) as history:
        record_sample(history, sample(1))
        assert len(load_samples(history, 0)) == 1
