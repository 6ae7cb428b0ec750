"""A clone of the repository, and Lycosa's commands in it, as a person has them who begins.

Commands are processes in the clone's folder, with its crawl.toml and its data folder; nothing else is given
to them. The environment, and the modules with what numba has compiled of them, are those of the test run, of
whose tree the clone is made: `make install`, and the loops that a first command compiles, would take minutes.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.conftest import ROOT
from tests.running import END_SECONDS

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONSAFEPATH": "1", "PYTHONUNBUFFERED": "1"}
AUTHOR = ("-c", "user.name=Lycosa", "-c", "user.email=lycosa@crawl.example", "-c", "commit.gpgsign=false")


@dataclass(frozen=True)
class Checkout:
    """A clone, in which commands are run."""

    folder: Path

    @property
    def toml(self) -> Path:
        return self.folder / "crawl.toml"

    def scrapy(self, *words: str, code: int = 0, typed: str = "") -> str:
        """Run a command to its end, check its exit code; what it printed."""
        done = subprocess.run(
            _line(words),
            cwd=self.folder,
            input=typed,
            capture_output=True,
            text=True,
            timeout=END_SECONDS,
            env=ENVIRONMENT,
        )
        assert done.returncode == code, done.stderr[-2000:] + done.stdout[-2000:]
        assert "Traceback" not in done.stderr, done.stderr[-2000:]
        return done.stdout

    def crawl(self, code: int = 0) -> str:
        """Crawl the sites of crawl.toml; the summary."""
        return self.scrapy("crawl", "web", code=code)

    def configure(self, *changes: tuple[str, str]) -> None:
        """Edit crawl.toml, as `scrapy init` wrote it or as it is by now; what is changed has to be there."""
        text = self.toml.read_text(encoding="utf-8")
        for before, after in changes:
            assert before in text, before
            text = text.replace(before, after, 1)
        self.toml.write_text(text, encoding="utf-8")

    @contextmanager
    def serving(self, *words: str) -> Iterator[str]:
        """The search page, on a free port if no words say otherwise; its address, no slash at its end."""
        line = _line(("serve", *(words or ("--port", "0"))))
        with (self.folder / "serve.log").open("w", encoding="utf-8") as log:
            process = subprocess.Popen(
                line, cwd=self.folder, stdout=subprocess.PIPE, stderr=log, text=True, env=ENVIRONMENT
            )
        with process:
            try:
                assert process.stdout
                first = process.stdout.readline()
                assert "http://" in first, first
                yield f"http://{first.split('http://')[1].split('/')[0]}"
            finally:
                process.terminate()


def _line(words: tuple[str, ...]) -> list[str]:
    return [sys.executable, "-m", "scrapy", *words]


def clone(folder: Path) -> Checkout:
    """Clone the working tree as it is, uncommitted changes with it, into a folder that is not there yet."""
    origin = folder.with_suffix(".git")
    _git("init", "--quiet", "--bare", str(origin))
    _git(f"--git-dir={origin}", f"--work-tree={ROOT}", "add", "--all", ".")
    _git(f"--git-dir={origin}", f"--work-tree={ROOT}", *AUTHOR, "commit", "--quiet", "--message", "As it is")
    _git("clone", "--quiet", str(origin), str(folder))
    return Checkout(folder)


def _git(*words: str) -> None:
    subprocess.run(["git", *words], cwd=ROOT, check=True)
