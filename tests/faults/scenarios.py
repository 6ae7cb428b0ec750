"""What goes wrong with two crawling machines and their server, each time in namespaces of their own.

    unshare --net --mount python -m tests.faults.scenarios SCENARIO FOLDER SEED

Machine A reaches the server at one address and machine B at another, so that A alone can be cut off. Whose
request is whose stands in its contact. The seed says when it happens.
"""

import math
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import OperationalError

from engine.store import Store
from tests.engine.index.content import content
from tests.postgresql import Server, run_server
from tests.running import begun_anew, scrapy, until
from tests.walk.slow_hosts import Found, found, shares, slow_hosts
from tests.web.scripted import Request, Site

A_SERVER, B_SERVER = "127.0.9.9", "127.0.9.8"
PAUSE = 1.0  # seconds between requests to a host: the profile brisk
GRACE = 0.05  # seconds that a request may be on its way
LAST_REQUEST = 30.0  # seconds after a cut in which a machine may still ask
STOPPED = 60.0  # seconds
DISK = 300  # MiB of the server, which has written a third of them before it is asked for anything
LOST = (1.0, 4.0)  # seconds whose commits a standby lacks: some twenty pages each


class Pair:
    """Two machines, and what they have asked."""

    def __init__(
        self, folder: Path, sites: Sequence[Site], server: Server, disk: Path, dice: random.Random
    ) -> None:
        self.disk = disk
        url = server.create_database().replace("127.0.0.1", B_SERVER)
        self.sites, self.url, self.server, self.dice = sites, url, server, dice
        self.a = self._machine(folder / "a", url.replace(B_SERVER, A_SERVER))
        self.b = self._machine(folder / "b", url)

    def _machine(self, folder: Path, url: str) -> Path:
        folder.mkdir()
        seeds = ", ".join(f'"{site.url("/")}"' for site in self.sites)
        private = ", ".join(f'"{site.address}"' for site in self.sites)
        (folder / "crawl.toml").write_text(
            f'database = "{url}"\ncontact = "{folder.name}@example.org"\nallow_private = [{private}]\n'
            f'[[site]]\nseeds = [{seeds}]\nprofile = "brisk"\n'
        )
        return folder

    @contextmanager
    def crawling(self) -> Iterator[tuple[subprocess.Popen[str], subprocess.Popen[str]]]:
        """Both machines crawl, and have for a while."""
        with begun_anew(self.a, "crawl", "web") as first:
            until(lambda: len(self.requests(self.a)) > 10, "requests of A")
            with begun_anew(self.b, "crawl", "web") as second:
                until(lambda: len(self.requests(self.b)) > 10, "requests of B")
                time.sleep(self.dice.uniform(0.0, 3.0))
                yield first, second

    def requests(self, machine: Path | None = None, after: float = 0.0) -> list[tuple[Site, Request]]:
        """Requests to all hosts, of one machine if it is named."""
        return [
            (site, request)
            for site in self.sites
            for request in list(site.log)
            if request.start >= after and (machine is None or self.is_of(machine, request))
        ]

    @staticmethod
    def is_of(machine: Path, request: Request) -> bool:
        return f"{machine.name}@example.org" in str(request.headers)

    def check_pace(self) -> None:
        """Checks what the servers have seen: the pause between two requests, whoever has sent them."""
        for site in self.sites:
            starts = sorted(request.start for request in site.log)
            least = min((b - a for a, b in pairwise(starts)), default=PAUSE)
            assert least >= PAUSE - GRACE, (site.url("/"), least)


def said(process: subprocess.Popen[str]) -> str:
    assert process.stdout
    return process.stdout.read()[-2000:]


def cut(pair: Pair) -> None:
    """The network between A and the server is cut for good: A ends, and asks nothing when B may ask."""
    with pair.crawling() as (first, second):
        subprocess.run(["ip", "route", "add", "blackhole", A_SERVER, "table", "local"], check=True)
        at = time.monotonic()
        assert first.wait(60) == 2, "A ends, and says so"
        assert "is the PostgreSQL server up, and has its disk room?" in said(first)
        assert not pair.requests(pair.a, at + LAST_REQUEST), "nothing is asked without a sign of life"
        assert second.wait(90) == 0, said(second)
    for site in pair.sites:
        by_a = [request.start for request in site.log if pair.is_of(pair.a, request)]
        by_b = [request.start for request in site.log if pair.is_of(pair.b, request) and request.start > at]
        assert max(by_a, default=0.0) < min(by_b, default=math.inf), "no host is asked by two"


def stopped(pair: Pair) -> None:
    """A is stopped for a minute, as by a machine that swaps: B takes its hosts, and A asks none of those.

    Stopped in the middle of a transaction, it has lost that, and ends.
    """
    with pair.crawling() as (first, second):
        os.kill(first.pid, signal.SIGSTOP)
        time.sleep(STOPPED)
        os.kill(first.pid, signal.SIGCONT)
        assert second.wait(90) == 0
        assert first.wait(90) in (0, 2)


def skewed(pair: Pair) -> None:
    """A's clock is two minutes ahead of the server's, B's two behind: both live, as the server's counts."""
    os.environ["PYTHONPATH"] = str(Path(__file__).parent / "skewed")
    os.environ["LYCOSA_TEST_SKEW"] = "120"
    with begun_anew(pair.a, "crawl", "web") as first:
        until(lambda: len(pair.requests(pair.a)) > 10, "requests of A")
        os.environ["LYCOSA_TEST_SKEW"] = "-120"
        with begun_anew(pair.b, "crawl", "web") as second:
            assert (first.wait(90), second.wait(90)) == (0, 0)
    assert min(shares(pair.url)) > 0, "each had a part"


def killed(pair: Pair) -> None:
    """A is killed: B does the rest."""
    with pair.crawling() as (first, second):
        first.kill()
        assert second.wait(90) == 0, said(second)


def server_killed(pair: Pair) -> None:
    """The server is killed, and started again: both end, and the next run goes on."""
    with pair.crawling() as (first, second):
        pair.server.kill()
        assert (first.wait(60), second.wait(60)) == (2, 2)
    pair.server.start()
    go_on(pair)


def server_full(pair: Pair) -> None:
    """The server's disk is full, of which it tells both, or breaks down where it writes ahead; they end."""
    filler = pair.disk / "filler"
    with pair.crawling() as (first, second):
        with pair.server.session("postgres") as connection:
            fill_up(filler)
            if breaks_down := pair.dice.random() < 0.5:
                with pytest.raises(OperationalError):
                    switch_files(connection)
        assert (first.wait(60), second.wait(60)) == (2, 2)
        says = [said(first), said(second)]
        assert all("PostgreSQL server" in one and "disk" in one for one in says), says
        assert breaks_down or any("the PostgreSQL server's disk is full" in one for one in says), says
    filler.unlink()
    pair.server.kill()
    pair.server.start()
    go_on(pair)


def fill_up(filler: Path) -> None:
    """Writes to a file for as long as there is room."""
    with suppress(OSError), filler.open("wb", buffering=0) as file:
        while file.write(bytes(1 << 16)):
            pass


def switch_files(connection: sa.Connection) -> None:
    """Lets a server begin file after file of what it writes ahead: some of them it has made before."""
    for _ in range(100):
        connection.exec_driver_sql("SELECT pg_create_restore_point('full'), pg_switch_wal()")


def failed_over(pair: Pair) -> None:
    """A standby takes the place of a dead server, and lacks the last commits: those are fetched anew."""
    with pair.crawling() as (first, second):
        standby = pair.server.make_standby()
        standby.start()
        standby.wait_for_replay(pair.server)
        standby.lose_what_follows()
        time.sleep(pair.dice.uniform(*LOST))
        before = last_change(pair)
        pair.server.kill()
        assert (first.wait(60), second.wait(60)) == (2, 2)
        standby.take_place_of(pair.server)
        pair.server = standby
    assert last_change(pair) < before, "the last commits are lost"
    go_on(pair)


def last_change(pair: Pair) -> int:
    """The number of the last change that the server has."""
    with closing(Store(pair.url)) as store:
        return store.last_change()


def go_on(pair: Pair) -> None:
    """A crawls on, and its index is then as one that was built in peace."""
    scrapy(pair.a, "crawl", "web")
    followed = list_content(pair.a)
    scrapy(pair.a, "rebuild")
    assert list_content(pair.a) == followed


def list_content(data: Path) -> dict[str, Any]:
    """Lists what an index says, but for when pages were fetched: one that is as it was is no change to it."""
    return {
        key: {name: value for name, value in of_key.items() if name != "fetched_at"}
        for key, of_key in content(data).items()
    }


SCENARIOS: dict[str, Callable[[Pair], None]] = {
    one.__name__: one for one in (cut, stopped, skewed, killed, server_killed, server_full, failed_over)
}


def main(scenario: str, folder: Path, seed: int) -> None:
    """Plays a scenario, and compares what was found with what one machine finds undisturbed."""
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    with ExitStack() as stack:
        disk = stack.enter_context(small_disk())
        server = stack.enter_context(run_server(f"127.0.0.1,{A_SERVER},{B_SERVER}", disk))
        sites = stack.enter_context(slow_hosts())
        expected = _crawl_alone(folder / "alone", sites)
        pair = Pair(folder, sites, server, disk, random.Random(seed))
        stack.callback(lambda: pair.server.kill())
        SCENARIOS[scenario](pair)
        assert found(pair.url) == expected
        pair.check_pace()


@contextmanager
def small_disk() -> Iterator[Path]:
    """A disk of its own, in memory."""
    with TemporaryDirectory(prefix="lycosa-disk-") as folder:
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK}m", "none", folder], check=True)
        try:
            yield Path(folder)
        finally:
            subprocess.run(["umount", folder], check=True)


def _crawl_alone(folder: Path, sites: Sequence[Site]) -> Found:
    seeds = ",".join(site.url("/") for site in sites)
    scrapy(folder, "crawl", "web", "-a", f"seeds={seeds}", "-a", "own=1")
    for site in sites:
        site.log.clear()
    return found(folder)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))
