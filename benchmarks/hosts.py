"""Measures a crawl of many hosts at `brisk`: fetches a second in the best of three minutes, idle time.

Fetches are counted at the server (`benchmarks.corpora.farm`), idle time inside the crawl
(`benchmarks.instruments.idle`).
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby, pairwise
from operator import attrgetter
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.corpora.farm import HostFarm, PageRequest, serve_hosts
from benchmarks.instruments.row import Row, rate_row, report_progress
from benchmarks.sites import ROOT, STDERR
from engine.errors import EngineError

HOSTS = 1_000
SECONDS = 180
PARTS = 3  # of the time; the best counts
PEER = "scrapy"
START_SECONDS = 60.0  # until a crawler is there
LOOK_SECONDS = 0.1
PATIENCE = 2  # times as long as it should take, on a machine that has more to do
MAX_IDLE = 1.0  # per cent of the time


@dataclass(frozen=True, slots=True)
class Idleness:
    """What `benchmarks.instruments.idle` saw, in seconds."""

    seconds: float
    asleep: float
    due: float


def rows(hosts: int, seconds: int) -> Iterator[Row]:
    """Ours, then a polite Scrapy project for as long. Raises EngineError when the crawl fails."""
    with serve_hosts(hosts) as served, TemporaryDirectory() as folder:
        report_progress(f"crawling {hosts} hosts with Lycosa for {seconds} s")
        idle = _ours(served, Path(folder), seconds)
        ours, served.asked = served.asked, []
        report_progress(f"{len(ours)} pages; crawling them with a paced Scrapy project")
        _theirs(served, Path(folder), seconds)
        theirs = served.asked
    yield rate_row("hosts.fetches", best_part(ours, seconds), PEER, best_part(theirs, seconds))
    yield Row("hosts.info.idle_percent", 100 * idle.due / idle.seconds, budget=MAX_IDLE)
    yield Row("hosts.info.asleep_percent", 100 * idle.asleep / idle.seconds)
    yield rate_row("hosts.info.shortest_pause", shortest(ours), PEER, shortest(theirs))


def best_part(asked: Sequence[PageRequest], seconds: float) -> float:
    """Fetches a second in the best of PARTS equal parts of the time since the first."""
    if not asked:
        return 0.0
    began, length = min(one.start for one in asked), seconds / PARTS
    parts = [int((one.start - began) / length) for one in asked]
    return max(parts.count(part) for part in range(PARTS)) / length


def shortest(asked: Sequence[PageRequest]) -> float:
    """Seconds between the starts of two requests to one host, where they were shortest; 0 without any."""
    by_host = sorted(asked)
    starts = ([one.start for one in of] for _, of in groupby(by_host, attrgetter("address")))
    return min((after - before for host in starts for before, after in pairwise(host)), default=0.0)


def crawl_command(
    served: HostFarm, folder: Path, profile: str, settings: Mapping[str, object], database: str = ""
) -> Sequence[str]:
    """Writes the crawl.toml of a crawl of these hosts, whose data are beside it; returns the command."""
    toml = folder / "crawl.toml"
    where = f"database = {json.dumps(database)}\n" if database else ""
    toml.write_text(
        f'contact = "benchmark@example.org"\nallow_private = {json.dumps(served.addresses)}\n{where}'
        f'[[site]]\nseeds = {json.dumps(served.seeds)}\nprofile = "{profile}"\n',
        encoding="utf-8",
    )
    always = {"DATA_DIR": folder / "ours", "CRAWL_TOML": toml, "LOG_LEVEL": "WARNING"}
    options = [word for name, value in {**always, **settings}.items() for word in ("-s", f"{name}={value}")]
    return [sys.executable, "-m", "scrapy", "crawl", "web", *options]


def kill_crawl(process: subprocess.Popen[bytes]) -> None:
    """Kills a crawl and all that it started: its index would go on for minutes, and disturb others."""
    with suppress(OSError):
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text(encoding="ascii")
        for one in (process.pid, *map(int, children.split())):
            os.kill(one, signal.SIGKILL)
    process.kill()
    process.wait()


def _ours(served: HostFarm, folder: Path, seconds: int) -> Idleness:
    """The real command. Raises EngineError when it fails."""
    figures = folder / "idle"
    extensions = json.dumps({"benchmarks.instruments.idle.IdleExtension": 900})
    settings = {"IDLE_FILE": figures, "IDLE_SECONDS": seconds, "EXTENSIONS": extensions}
    _run(crawl_command(served, folder, "brisk", settings), figures.exists, seconds)
    if not figures.exists():
        raise EngineError("the crawl has failed; what it said stands above")
    return Idleness(**json.loads(figures.read_text(encoding="utf-8")))


def _theirs(served: HostFarm, folder: Path, seconds: int) -> None:
    seeds = folder / "seeds"
    seeds.write_text("\n".join(served.seeds), encoding="utf-8")
    command = [sys.executable, "-m", "benchmarks.peers.paced_scrapy", str(seeds)]
    _run(command, lambda: bool(served.asked) and time.monotonic() > served.asked[0].start + seconds, seconds)


def _run(command: Sequence[str], over: Callable[[], bool], seconds: float) -> None:
    """Let a crawler run until what is measured is over, then end it and all that it started."""
    process = subprocess.Popen(command, cwd=ROOT, stdout=STDERR)
    deadline = time.monotonic() + PATIENCE * seconds + START_SECONDS
    try:
        while process.poll() is None and not over() and time.monotonic() < deadline:
            time.sleep(LOOK_SECONDS)
    finally:
        kill_crawl(process)
