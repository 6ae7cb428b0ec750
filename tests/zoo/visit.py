"""A real crawl of the zoo, as an operator runs it, and what was seen of it."""

import json
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.request import urlopen

from tests.conftest import ROOT
from tests.crawling import states
from tests.running import begun_anew, command
from tests.zoo.peaks import Peaks, watched
from tests.zoo.server import Zoo
from tests.zoo.traps import DEPTH, HOST_PAGES, QUERIES

ANSWER_SECONDS = 20  # a request may take, on a busy machine
CRAWL_SECONDS = 1500.0  # the whole zoo may take, on a busy machine
LOOK_SECONDS = 0.2  # between two questions to the search page
WAIT_SECONDS = 30  # that one who searches waits at most


@dataclass(frozen=True, slots=True)
class Visited:
    """The zoo after a crawl of it."""

    zoo: Zoo
    data: Path
    said: str  # on standard error
    summary: str
    code: int
    states: dict[str, tuple[str, str]]  # URL -> state, reason
    peaks: Peaks
    unanswered: list[str]  # what was wrong with answers of the search page meanwhile


def configure(data: Path, zoo: Zoo, *, own: bool) -> None:
    """crawl.toml with every host of the zoo, the hostile first."""
    seeds = json.dumps([zoo.url(name) for name in zoo.addresses])
    whose = "own = true" if own else 'profile = "brisk"'
    named = "" if own else f"allow_private = {json.dumps(list(zoo.addresses.values()))}\n"
    limits = f"[limits]\nhost_pages = {HOST_PAGES}\nqueries_per_path = {QUERIES}\nmax_depth = {DEPTH}\n"
    (data / "crawl.toml").write_text(
        f'contact = "me@example.org"\n{named}[[site]]\nseeds = {seeds}\n{whose}\n{limits}'
    )


def crawled(data: Path, zoo: Zoo, *, beside: bool) -> Visited:
    """After the real command, with the search page `beside` it."""
    words = [*command(data, "crawl", "web"), "-s", f"DOWNLOAD_TIMEOUT={ANSWER_SECONDS}"]
    unanswered: list[str] = []
    with ExitStack() as stack:
        said, summary = (stack.enter_context(open(data / name, "w+")) for name in ("said", "summary"))
        page = stack.enter_context(_serving(data)) if beside else None
        crawl = stack.enter_context(subprocess.Popen(words, cwd=ROOT, stdout=summary, stderr=said))
        stack.callback(crawl.kill)
        deadline = time.monotonic() + CRAWL_SECONDS
        with watched(crawl.pid, *([page[0]] if page else [])) as peaks:
            while crawl.poll() is None:
                assert time.monotonic() < deadline, "the crawl does not end"
                time.sleep(LOOK_SECONDS)
                unanswered += _asked(page[1]) if page else []
    told, counts = ((data / name).read_text(errors="replace") for name in ("said", "summary"))
    found = Visited(zoo, data, told, counts, crawl.returncode, states(data), peaks, unanswered)
    print(f"{found.summary}\n{peaks}")  # noqa: T201
    return found


@contextmanager
def _serving(data: Path) -> Iterator[tuple[int, str]]:
    """The number of the process of a search page, and its address."""
    with begun_anew(data, "serve", "--port", "0") as process:
        assert process.stdout
        first = process.stdout.readline()
        yield process.pid, f"http://{first.split('http://')[1].split('/')[0]}"


def _asked(address: str) -> Iterator[str]:
    """What is wrong with its answer to somebody who looks whether it lives."""
    try:
        with urlopen(f"{address}/health", timeout=WAIT_SECONDS) as answer:
            answer.read()
    except OSError as error:
        yield str(error)
