"""What `make machines` starts, for tests: the script in a folder of its own."""

import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.conftest import ROOT
from tests.running import ask, free_ports, until
from tests.web.serve import read_table

SECONDS = 120.0  # for both crawls, of which each host asks for a second between two requests
QUERIES = read_table((ROOT / "tests/web/queries.tsv").read_text(encoding="utf-8"))
MANY_HITS = ("spider", "tea", "garden", "хлеб книга", "lycosa OR compost")
BIN = Path(sys.executable).parent


class Trial:
    """What the script started in a folder; with nodes of OpenSearch or without."""

    def __init__(self, folder: Path, *, has_cluster: bool = False) -> None:
        self.folder, self.data = folder, folder / "data/machines"
        first = free_ports(16 if has_cluster else 10)
        self.pages = [f"http://127.0.0.1:{first + n}" for n in range(2)]
        self.nodes = [f"http://127.0.0.1:{first + 10 + n}" for n in range(3)] if has_cluster else []
        ports: dict[str, object] = {"PORT": first, "DATABASE_PORT": first + 2, "WEB_PORT": first + 3}
        ports["OPENSEARCH_PORT"] = first + 10 if has_cluster else ""
        self.environment = {
            **os.environ,
            **{name: str(port) for name, port in ports.items()},
            "BIN": str(BIN),
            "PYTHONPATH": str(ROOT),
            "SCRAPY_SETTINGS_MODULE": "engine.settings",
        }
        self.process = self._start()

    def _start(self) -> subprocess.Popen[bytes]:
        with (self.folder / "said").open("wb") as out:
            line = ["bash", str(ROOT / "deploy/machines")]
            return subprocess.Popen(line, cwd=self.folder, env=self.environment, stdout=out, stderr=out)

    def restart(self) -> None:
        """Stops all and starts it again, with the data of before."""
        self.process.terminate()
        self.process.wait(60)
        self.process = self._start()

    def said(self) -> str:
        return (self.folder / "said").read_text(encoding="utf-8")

    def await_words(self, words: str) -> None:
        until(lambda: words in self.said() or self.process.poll() is not None, words, SECONDS)
        assert words in self.said(), self.said()

    def scrapy(self, machine: str, *words: str, typed: str = "") -> str:
        """A command on a machine, as the script says how."""
        folder = self.data / machine
        options = ["-s", f"DATA_DIR={folder}", "-s", f"CRAWL_TOML={folder / 'crawl.toml'}"]
        line = [sys.executable, "-m", "scrapy", *words, *options]
        return subprocess.run(
            line, cwd=self.folder, env=self.environment, input=typed, text=True, stdout=-1, check=True
        ).stdout

    def asked(self) -> list[list[str]]:
        """Host, method, path and user agent of each request to the example web."""
        log = self.data / "web.log"
        return [line.split(" ", 3) for line in log.read_text().splitlines()] if log.exists() else []

    def askers(self) -> set[str]:
        return {name for *_, agent in self.asked() for name in re.findall(r"\+(\w+)@", agent)}

    def repeated(self) -> Counter[tuple[str, str]]:
        """How often more than once each page was asked for."""
        return Counter((host, path) for host, _, path, _ in self.asked()) - Counter(
            {(host, path) for host, _, path, _ in self.asked()}
        )

    def url(self, page: str) -> str:
        """The URL of a page named as in `queries.tsv`."""
        seeds = dict(line.split(" ") for line in (self.data / "web.seeds").read_text().splitlines())
        host, _, path = page.partition("/")
        return f"{seeds[host]}{path}"

    def status(self, machine: str) -> dict[str, Any]:
        """What `scrapy status` says on a machine."""
        found: dict[str, Any] = json.loads(self.scrapy(machine, "status", "--json"))
        return found

    def processes(self) -> list[str]:
        """Whatever works in the folder, whoever has started it."""
        found = list[str]()
        for place in Path("/proc").glob("[0-9]*/cwd"):
            try:
                if place.readlink().is_relative_to(self.folder):
                    found.append((place.parent / "cmdline").read_bytes().replace(b"\0", b" ").decode())
            except OSError:  # it has ended
                continue
        return found


@contextmanager
def trial(*, has_cluster: bool = False) -> Iterator[Trial]:
    """The script, stopped at the end: it leaves nothing behind. Not in pytest's folders, which the server's
    user may not enter.
    """
    with TemporaryDirectory(prefix="lycosa-machines-") as folder:
        Path(folder).chmod(0o711)
        running = Trial(Path(folder), has_cluster=has_cluster)
        try:
            yield running
        finally:
            running.process.terminate()
            running.process.wait(60)
        assert running.processes() == []
        assert running.process.returncode == 130, running.said()


def first_ten(page: str, words: str) -> list[str]:
    """The URLs of the first page of results."""
    return [hit["url"] for hit in ask(page, words)["hits"]]


def check_answers(running: Trial) -> None:
    """Both pages give the same answers, and to the queries that have a right one that."""
    for words, page in QUERIES:
        one = check_alike(running, words)
        assert one[0] == running.url(page), (words, one)
    for words in MANY_HITS:
        check_alike(running, words)


def check_alike(running: Trial, words: str) -> list[str]:
    """The URLs that both pages answer; where they differ, the scores say why."""
    one, two = ([(hit["url"], hit["score"]) for hit in ask(page, words)["hits"]] for page in running.pages)
    assert [url for url, _ in one] == [url for url, _ in two], (words, one, two)
    return [url for url, _ in one]
