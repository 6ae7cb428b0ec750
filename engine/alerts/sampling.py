"""Samples the crawl and the index each minute, where alarms are looked for."""

from collections import Counter
from contextlib import closing

from engine import generations
from engine.config import Config
from engine.history import MINUTE, Sample, open_history, record_sample
from engine.store import Store, load_living_runs


def sample_crawl(config: Config, now: float) -> None:
    """Records the rate, errors and queue of all crawl processes, and the age of the index."""
    with closing(Store(config.database)) as store, store.engine.connect() as connection:
        living = load_living_runs(connection, now)
    counts = sum((Counter(run.counters) for run in living), Counter())
    generation = generations.undamaged_generation(config.index)
    sample = Sample(
        minute=int(now // MINUTE),
        pages=int(counts["stored"] + counts["unchanged"]),
        errors=int(counts["errors"]),
        queued=int(counts["queued"]),
        per_second=counts["per_second"],
        index_age=_measure_age(generation, now) if generation else None,
    )
    with open_history(config.data_dir) as history:
        record_sample(history, sample)


def _measure_age(generation: generations.Generation, now: float) -> float | None:
    """Measures how old the last commit is, None for an index that has none yet, or is being replaced."""
    try:
        return max(0.0, now - generation.caught_up_at) if generation.has_changes else None
    except OSError:
        return None
