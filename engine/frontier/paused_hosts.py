"""Keeps the hosts that the operator has paused: nothing is asked of them, and their URLs stay queued.

They are a small file of the data folder, or where a server has the crawl database a table of it, which all
machines share. Crawls that run look into it again and again.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Protocol

import sqlalchemy as sa

from engine.config import Config
from engine.database import PAUSES, connect_to_read, open_side, paused_hosts, write_side
from engine.errors import EngineError
from engine.folder import wait_for_folder
from engine.generations import write_atomically
from engine.store import Extent, parse_target
from engine.url import host_name

LOOK_SECONDS = 5.0  # between looks of a crawl
PAUSE_SECONDS = 60.0  # until a paused host's turn comes again, to see whether it was released
MAX_HOSTS = 1_000  # who pauses more wants another crawl.toml
MAX_BYTES = 1_000_000  # of the file

_ROWS = sa.select(paused_hosts.c.host, paused_hosts.c.at).order_by(paused_hosts.c.host)


class PausedHosts:
    """The paused hosts, as a crawl asks for them; none until it is told how they are loaded."""

    def __init__(self, load: Callable[[], Mapping[str, float]] = dict) -> None:
        self._load = load
        self._looked = float("-inf")
        self._paused: Mapping[str, float] = {}

    def is_paused(self, host: str, now: float) -> bool:
        """Tells whether the operator has paused a host, as scheme://name[:port].

        Raises SQLAlchemy's DBAPIError where a server is to be asked and is away.
        """
        if not 0 <= now - self._looked < LOOK_SECONDS:
            self._looked = now
            self._paused = self._load()
        return bool(self._paused) and (host in self._paused or host_name(f"{host}/") in self._paused)


class Pauses(Protocol):
    """Where the paused hosts are, each with its time in seconds since 1970."""

    def load(self) -> Mapping[str, float]:
        """Loads all."""

    def change(self) -> AbstractContextManager[dict[str, float]]:
        """Lends all to be changed, while nobody else changes them."""

    def follow(self, engine: sa.Engine) -> PausedHosts:
        """Makes what a crawl asks, whose database this is."""


class FolderPauses:
    """The paused hosts of a data folder: a file with a line for each, of a host, a tab, and since when."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def load(self) -> Mapping[str, float]:
        """Loads all; {} where the file cannot be read."""
        try:
            with (self._folder / PAUSES.file).open(encoding="utf-8", errors="replace") as file:
                lines = file.read(MAX_BYTES).splitlines()
        except OSError:
            return {}
        found: dict[str, float] = {}
        for line in lines[:MAX_HOSTS]:
            host, _, at = line.partition("\t")
            if host:
                found[host] = float(at) if at.isascii() and at.isdigit() else 0.0
        return found

    @contextmanager
    def change(self) -> Iterator[dict[str, float]]:
        """Lends all to be changed. Raises EngineError where the folder cannot be written."""
        with wait_for_folder(self._folder, "pause"):
            paused = {**self.load()}
            yield paused
            self.save(paused)

    def save(self, paused: Mapping[str, float]) -> None:
        """Saves these in place of all others."""
        lines = (f"{host}\t{at:.0f}\n" for host, at in sorted(paused.items()))
        write_atomically(self._folder / PAUSES.file, "".join(lines))

    def follow(self, engine: sa.Engine) -> PausedHosts:
        """Makes what a crawl asks; the file is read."""
        return PausedHosts(self.load)


class ServerPauses:
    """The paused hosts of all machines, at a postgresql:// URL. All of it raises Busy and Unreadable."""

    def __init__(self, url: str) -> None:
        self._url = url

    def load(self) -> Mapping[str, float]:
        """Loads all."""
        with open_side(self._url, PAUSES) as connection:
            return select_paused(connection)

    @contextmanager
    def change(self) -> Iterator[dict[str, float]]:
        """Lends all to be changed."""
        with write_side(self._url, PAUSES) as connection:
            paused = {**select_paused(connection)}
            yield paused
            replace_paused(connection, paused)

    def follow(self, engine: sa.Engine) -> PausedHosts:
        """Makes what a crawl asks, by connections that it has: a new one takes longer than the question."""
        self.load()  # makes the schema where it is not there

        def load() -> Mapping[str, float]:
            with connect_to_read(engine) as connection:
                return select_paused(connection.execution_options(schema_translate_map={None: PAUSES.name}))

        return PausedHosts(load)


def select_paused(connection: sa.Connection) -> Mapping[str, float]:
    """Loads the paused hosts by a connection that sees their schema."""
    return {row.host: row.at for row in connection.execute(_ROWS)}


def replace_paused(connection: sa.Connection, paused: Mapping[str, float]) -> None:
    """Saves these in place of all others, in a transaction that sees their schema."""
    connection.execute(sa.delete(paused_hosts))
    if rows := [{"host": host, "at": at} for host, at in paused.items()]:
        connection.execute(sa.insert(paused_hosts), rows)


def open_pauses(location: Path | str) -> Pauses:
    """Opens the paused hosts of a data folder, or of the database at a postgresql:// URL."""
    return ServerPauses(location) if isinstance(location, str) else FolderPauses(location)


def load_paused(location: Path | str) -> Mapping[str, float]:
    """Loads the paused hosts, each with its time in seconds since 1970. Raises Busy and Unreadable."""
    return open_pauses(location).load()


def pause_host(location: Path | str, host: str, now: float) -> None:
    """Pauses a host, as scheme://name[:port], or a name with any scheme and port. Raises EngineError."""
    with open_pauses(location).change() as paused:
        paused.setdefault(host, float(f"{now:.0f}"))
        if len(paused) > MAX_HOSTS:
            raise EngineError(f"{MAX_HOSTS:,} hosts are paused, as many as can be; release some first")


def release_host(location: Path | str, host: str) -> None:
    """Releases a host. Raises EngineError for one that is not paused."""
    with open_pauses(location).change() as paused:
        if paused.pop(host, None) is None:
            raise EngineError(f"{host} is not paused; 'scrapy pause --list' lists what is")


def pause_named_host(config: Config, typed: str) -> str:
    """Pauses a host; returns it as it is kept. Raises EngineError for what is none."""
    host = _parse_host(typed)
    pause_host(config.database, host, time.time())
    return host


def release_named_host(config: Config, typed: str) -> str:
    """Releases a host; returns it as it was kept. Raises EngineError for one that is not paused."""
    host = _parse_host(typed)
    release_host(config.database, host)
    return host


def _parse_host(typed: str) -> str:
    target = parse_target(typed)
    if target.extent is not Extent.HOST:
        raise EngineError(f"{typed!r} is no host; write www.example.org or https://www.example.org")
    return target.text
