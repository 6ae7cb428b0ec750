"""A long run: many hosts, some of them hostile, searches beside it, a full disk and a kill -9 on the way."""

import asyncio
import json
import os
import resource
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from benchmarks.corpora.farm import HostFarm, serve_hosts
from benchmarks.corpora.visitors import send_requests
from tests.conftest import ROOT
from tests.running import command
from tests.soak.sample import Sample, sample
from tests.zoo.peaks import processes
from tests.zoo.server import Zoo, opened_zoo
from tests.zoo.table import ALL

HOSTILE = 0.05  # of the hosts
EVERY = 5.0  # seconds between samples
SEARCHES = 10  # a second
FULL_AT, KILL_AT = 0.2, 0.4  # of the time; what follows has settled when the second half begins
STOP_SECONDS = 120.0  # from Ctrl-C to the end of the crawl
WORDS = ("statement", "exception handling", "class attributes", '"the object"', "import -module", "sequence*")


class Soak:
    """A crawl that is begun again whenever it ends, and a search page, on one data folder."""

    def __init__(self, data: Path, port: int, page: subprocess.Popen[bytes]) -> None:
        self._data, self._port, self._page = data, port, page
        self._crawl = self._begun()
        self.codes: list[int] = []  # of the crawls that ended
        self.began = time.monotonic()

    def _begun(self) -> subprocess.Popen[bytes]:
        with open(self._data / "said", "ab") as said:
            return subprocess.Popen(
                command(self._data, "crawl", "web"), cwd=ROOT, stdout=subprocess.DEVNULL, stderr=said
            )

    def samples(self, seconds: float) -> Iterator[Sample]:
        """One every few seconds, with what was done to the crawl."""
        ahead = [(FULL_AT * seconds, "disk full", self.fill), (KILL_AT * seconds, "kill -9", self.kill)]
        targets = [f"/search?q={words.replace(' ', '+')}" for words in WORDS]
        while (passed := time.monotonic() - self.began) < seconds:
            event = ""
            if ahead and passed >= ahead[0][0]:
                _, event, act = ahead.pop(0)
                act()
            asked = asyncio.run(send_requests(self._port, targets, SEARCHES, EVERY))
            event = " ".join(filter(None, (event, self.go_on())))
            yield sample(self.began, (self._crawl.pid, self._page.pid), self._data, asked, event)

    def fill(self) -> None:
        """No file of the crawl grows any more, as on a full disk; nothing but its own processes is hurt."""
        _, most = resource.prlimit(self._crawl.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(self._crawl.pid, resource.RLIMIT_FSIZE, (4096, most))

    def kill(self) -> None:
        """As the system does when there is no memory left."""
        self._crawl.kill()
        self._crawl.wait()

    def go_on(self) -> str:
        """The same command again where it has ended."""
        code = self._crawl.poll()
        if code is None:
            return ""
        self.codes.append(code)
        self._crawl = self._begun()
        return f"ended with {code}, begun again"

    def end(self) -> None:
        """Ctrl-C for the crawl; what its index has not caught up with by then is of no interest here."""
        self._crawl.send_signal(signal.SIGINT)
        try:
            self.codes.append(self._crawl.wait(STOP_SECONDS))
        except subprocess.TimeoutExpired:
            followers = [int(proc.name) for role, proc in processes(self._crawl.pid) if role == "follower"]
            self.kill()
            for follower in followers:  # it would go on until it has caught up
                os.kill(follower, signal.SIGKILL)


@contextmanager
def soaking(data: Path, hosts: int) -> Iterator[Soak]:
    """So many hosts, a crawl of them and a search page."""
    wild = max(int(hosts * HOSTILE), 1)
    with ExitStack() as stack:
        zoo = stack.enter_context(opened_zoo(ALL[:: max(len(ALL) // wild, 1)][:wild]))
        served = stack.enter_context(serve_hosts(hosts - wild))
        configure(data, zoo, served)
        page = stack.enter_context(
            subprocess.Popen(command(data, "serve", "--port", "0"), cwd=ROOT, stdout=subprocess.PIPE)
        )
        stack.callback(page.kill)
        assert page.stdout
        first = page.stdout.readline().decode()
        soak = Soak(data, int(first.split("http://")[1].split("/")[0].rpartition(":")[2]), page)
        stack.callback(soak.end)
        yield soak


def configure(data: Path, zoo: Zoo, served: HostFarm) -> None:
    """crawl.toml for hosts of others that agreed to one request a second."""
    seeds = json.dumps([*map(zoo.url, zoo.addresses), *served.seeds])
    private = json.dumps([*zoo.addresses.values(), *served.addresses])
    (data / "crawl.toml").write_text(
        f'contact = "me@example.org"\nallow_private = {private}\n'
        f'[[site]]\nseeds = {seeds}\nprofile = "brisk"\n[serve]\nrequests_per_second = 1000\nburst = 1000\n'
    )


def run(data: Path, hosts: int, seconds: float, log: Path) -> tuple[Sequence[Sample], Sequence[int]]:
    """Everything; each sample goes to the log as it comes. The exit codes of the crawls, too."""
    samples = []
    with soaking(data, hosts) as soak, open(log, "w") as lines:
        for one in soak.samples(seconds):
            samples.append(one)
            lines.write(one.line() + "\n")
            lines.flush()
        codes = soak.codes
    return samples, codes
