"""Keeps the hosts that the operator has paused: nothing is asked of them, and their URLs stay queued.

A small file of the data folder: a host, a tab, and since when. Crawls that run look into it again and again.
"""

import time
from collections.abc import Mapping
from pathlib import Path

from engine.config import Config
from engine.errors import EngineError
from engine.folder import wait_for_folder
from engine.generations import write_atomically
from engine.store import Extent, parse_target
from engine.url import host_name

FILE = "paused_hosts.tsv"  # in the data folder
LOOK_SECONDS = 5.0  # between looks of a crawl
PAUSE_SECONDS = 60.0  # until a paused host's turn comes again, to see whether it was released
MAX_HOSTS = 1_000  # who pauses more wants another crawl.toml
MAX_BYTES = 1_000_000


class PausedHosts:
    """The paused hosts of a data folder, as a crawl asks for them; none without a folder."""

    def __init__(self, data_dir: Path | None = None) -> None:
        self._data_dir = data_dir
        self._looked = float("-inf")
        self._paused: Mapping[str, float] = {}

    def is_paused(self, host: str, now: float) -> bool:
        """Tells whether the operator has paused a host, as scheme://name[:port]."""
        if self._data_dir and not 0 <= now - self._looked < LOOK_SECONDS:
            self._looked = now
            self._paused = load_paused(self._data_dir)
        return bool(self._paused) and (host in self._paused or host_name(f"{host}/") in self._paused)


def load_paused(data_dir: Path) -> Mapping[str, float]:
    """Loads the paused hosts, each with its time in seconds since 1970; {} where they cannot be read."""
    try:
        with (data_dir / FILE).open(encoding="utf-8", errors="replace") as file:
            lines = file.read(MAX_BYTES).splitlines()
    except OSError:
        return {}
    found: dict[str, float] = {}
    for line in lines[:MAX_HOSTS]:
        host, _, at = line.partition("\t")
        if host:
            found[host] = float(at) if at.isascii() and at.isdigit() else 0.0
    return found


def pause_host(data_dir: Path, host: str, now: float) -> None:
    """Pauses a host, as scheme://name[:port], or a name with any scheme and port. Raises EngineError."""
    with wait_for_folder(data_dir, "pause"):
        paused = {host: now, **load_paused(data_dir)}
        if len(paused) > MAX_HOSTS:
            raise EngineError(f"{MAX_HOSTS:,} hosts are paused, as many as can be; release some first")
        _save(data_dir, paused)


def release_host(data_dir: Path, host: str) -> None:
    """Releases a host. Raises EngineError for one that is not paused."""
    with wait_for_folder(data_dir, "pause"):
        paused = {**load_paused(data_dir)}
        if paused.pop(host, None) is None:
            raise EngineError(f"{host} is not paused; 'scrapy pause --list' lists what is")
        _save(data_dir, paused)


def _save(data_dir: Path, paused: Mapping[str, float]) -> None:
    lines = (f"{host}\t{at:.0f}\n" for host, at in sorted(paused.items()))
    write_atomically(data_dir / FILE, "".join(lines))


def pause_named_host(config: Config, typed: str) -> str:
    """Pauses a host; returns it as it is kept. Raises EngineError for what is none."""
    host = _parse_host(typed)
    config.data_dir.mkdir(parents=True, exist_ok=True)
    pause_host(config.data_dir, host, time.time())
    return host


def release_named_host(config: Config, typed: str) -> str:
    """Releases a host; returns it as it was kept. Raises EngineError for one that is not paused."""
    host = _parse_host(typed)
    release_host(config.data_dir, host)
    return host


def _parse_host(typed: str) -> str:
    target = parse_target(typed)
    if target.extent is not Extent.HOST:
        raise EngineError(f"{typed!r} is no host; write www.example.org or https://www.example.org")
    return target.text
