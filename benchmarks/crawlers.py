"""Measures real crawls of many hosts at `polite`: one with a file, then several processes on one server.

All are killed when their time is over, and the next ones go on where they were. Pages are counted, and pauses
read, at the server of the hosts (`benchmarks.corpora.farm`).
"""

import subprocess
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.corpora.farm import HostFarm, serve_hosts
from benchmarks.hosts import LOOK_SECONDS, START_SECONDS, best_part, crawl_command, kill_crawl, shortest
from benchmarks.instruments.row import Row, rate_row, report_progress
from benchmarks.sites import ROOT, STDERR
from engine.errors import EngineError

PEER = "file"
WORKERS = (1, 2, 4)


def rows(url: str, workers: Sequence[int], hosts: int, seconds: int) -> Iterator[Row]:
    """Yields pages a second for each number of processes, and the shortest pause of any host, whoever asked.

    Raises EngineError without a URL of a database, and when a crawl fails.
    """
    if not url:
        raise EngineError("name an empty database of a server with --database postgresql://...")
    with TemporaryDirectory() as name:
        folder = Path(name)
        with serve_hosts(hosts) as served:
            peer = _crawl(served, folder / PEER, 1, seconds, "")
        with serve_hosts(hosts) as served:
            for number in workers:
                rate = _crawl(served, folder / "server", number, seconds, url)
                yield rate_row(f"crawlers.pages.{number}", rate, PEER, peer)
            yield Row("crawlers.info.shortest_pause", shortest(served.asked))


def _crawl(served: HostFarm, folder: Path, number: int, seconds: int, database: str) -> float:
    """Runs so many crawls at once; returns their pages a second. Raises EngineError when one ends."""
    report_progress(f"{number} crawling {len(served.addresses)} hosts for {seconds} s")
    before, crawls = len(served.asked), list[subprocess.Popen[bytes]]()
    deadline = time.monotonic() + START_SECONDS + seconds
    try:
        for of in range(number):
            own = folder / str(of)
            own.mkdir(parents=True, exist_ok=True)
            command = crawl_command(served, own, "polite", {}, database)
            crawls.append(subprocess.Popen(command, cwd=ROOT, stdout=STDERR))
        while time.monotonic() < deadline:
            if any(crawl.poll() is not None for crawl in crawls):
                raise EngineError("a crawl has ended; what it said stands above")
            if len(served.asked) > before and time.monotonic() > served.asked[before].start + seconds:
                break
            time.sleep(LOOK_SECONDS)
    finally:
        for crawl in crawls:
            kill_crawl(crawl)
    return best_part(served.asked[before:], seconds)
