"""Connections are kept, and there may be more hosts than open files."""

import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from twisted.internet.task import Clock

from benchmarks.corpora.farm import serve_hosts
from engine.middleware.connection_pool import ConnectionPool
from tests.conftest import ROOT
from tests.crawling import states
from tests.running import command

FILES = 80  # that a process may open until it asks for more; it starts with some 30
HOSTS = 100


@dataclass(eq=False)
class Connection:
    """One that waits; it is its own transport."""

    state: str = "QUIESCENT"
    closed: bool = False

    @property
    def transport(self) -> "Connection":
        return self

    def loseConnection(self) -> None:  # noqa: N802
        self.closed = True


@pytest.mark.requirement(271)
def test_those_that_waited_longest_are_closed() -> None:
    """Connections are used again, and so many of them kept at most."""
    clock = Clock()
    pool: Any = ConnectionPool(clock)  # type: ignore[no-untyped-call]
    pool.most = 3
    kept = [Connection() for _ in range(5)]
    for number, connection in enumerate(kept):
        pool._putConnection(number, connection)
    clock.advance(0)
    assert [connection.closed for connection in kept] == [True, True, False, False, False]


@pytest.mark.slow
@pytest.mark.requirement(276)
@pytest.mark.timeout(400)  # ten seconds of a processor that others may want, too
def test_more_hosts_than_open_files(tmp_path: Path) -> None:
    """The limit that a shell sets is no end of a crawl, and no fault of the hosts."""
    with serve_hosts(HOSTS) as served:
        seeds = tmp_path / "seeds"
        seeds.write_text("\n".join(served.seeds), encoding="utf-8")
        words = ("-a", f"seeds={seeds}", "-a", "own=1", "-a", r"exclude=/\d+$")
        limit = ["bash", "-c", f'ulimit -Sn {FILES}; exec "$@"', "bash"]
        whole = [*limit, *command(tmp_path, "crawl", "web", *words)]
        done = subprocess.run(whole, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
    found = states(tmp_path)
    assert [found[url][0] for url in served.seeds] == ["stored"] * HOSTS
