"""One look at a running crawl and search page: memory, descriptors, disk, pages, waiting times."""

import json
import sqlite3
import time
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from contextlib import closing, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import quantiles

from benchmarks.corpora.visitors import TimedRequest
from tests.zoo.peaks import megabytes, processes


@dataclass(frozen=True, slots=True)
class Sample:
    """What was seen at one moment; memory in megabytes (VmRSS) and open files by role."""

    seconds: float  # since the soak began
    memory: dict[str, float]
    mapped: dict[str, float]  # of the memory what is of files (RssFile)
    files: dict[str, int]
    disk: float  # megabytes of the data folder
    pages: int  # fetched so far, in all runs
    p99: float  # milliseconds that a search took, since the last sample
    wrong: int  # searches without a good answer, since the last sample
    event: str = ""  # what we did to it since the last sample

    def line(self) -> str:
        """As JSON."""
        return json.dumps(asdict(self))


def sample(
    began: float, pids: Collection[int], data: Path, asked: Sequence[TimedRequest], event: str = ""
) -> Sample:
    """A sample of these processes and all that they started."""
    files = Counter[str]()
    memory, mapped = defaultdict[str, float](float), defaultdict[str, float](float)
    for pid in pids:
        for role, proc in processes(pid):
            memory[role] += round(megabytes(proc, "VmRSS"))
            mapped[role] += round(megabytes(proc, "RssFile"))
            with suppress(OSError):
                files[role] += len(list(proc.joinpath("fd").iterdir()))
    times = [1000 * one.seconds for one in asked]
    p99 = quantiles(times, n=100, method="inclusive")[98] if len(times) > 1 else 0.0
    wrong = sum(bool(one.wrong) for one in asked)
    seconds = time.monotonic() - began
    return Sample(
        seconds, dict(memory), dict(mapped), dict(files), disk(data), pages(data), p99, wrong, event
    )


def disk(data: Path) -> float:
    """Megabytes of a folder; files come and go meanwhile."""
    size = 0
    for path in data.rglob("*"):
        with suppress(OSError):
            size += path.stat().st_size
    return size / 1e6


def pages(data: Path) -> int:
    """Pages that all runs have fetched, as their log says; 0 before the first entry."""
    with suppress(sqlite3.OperationalError), closing(sqlite3.connect(data / "crawl.db")) as database:
        rows = [json.loads(row) for (row,) in database.execute("SELECT counters FROM runs")]
        return int(sum(row.get("stored", 0) + row.get("unchanged", 0) for row in rows))
    return 0
