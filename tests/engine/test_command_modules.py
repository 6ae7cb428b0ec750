"""Which modules Scrapy looks through for a command, and what a process of ours imports for it."""

import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from engine.command_modules import find_command_module
from engine.index.indexing.follow import Follower
from engine.model import Flag
from tests.conftest import ROOT
from tests.engine.index.source import Memory, page


@pytest.mark.parametrize(
    ("argv", "module", "why"),
    [
        (["scrapy", "crawl", "web"], "engine.commands.crawl", "a command"),
        (["scrapy", "status", "--json"], "engine.commands.monitoring.status", "in a folder below"),
        (["scrapy", "shell"], "engine.commands.development.shell", "one that is Scrapy's own, too"),
        (["scrapy", "monitoring"], "engine.commands", "a folder is no command"),
        (["scrapy", "__init__"], "engine.commands", "nor is what makes it one"),
        (["scrapy", "nonsense"], "engine.commands", "Scrapy says that there is none, and lists all"),
        (["scrapy", "../crawl"], "engine.commands", "no path"),
        (["scrapy", "--help"], "engine.commands", "all are listed"),
        (["scrapy"], "engine.commands", "all are listed"),
        ([], "engine.commands", "no command line at all"),
    ],
)
def test_the_module_of_a_command(argv: Sequence[str], module: str, why: str) -> None:
    assert find_command_module(argv) == module, why


def run(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    """Runs a command; its exit code says whether it loaded numba."""
    script = (
        "import sys; from scrapy import cmdline\n"
        "try: cmdline.execute()\n"
        "except SystemExit: pass\n"
        "sys.exit('numba' in sys.modules)"
    )
    return subprocess.run(
        [sys.executable, "-c", script, *arguments], cwd=ROOT, capture_output=True, check=False
    )


LIGHT = ("crawl", "status", "search")
OTHERS = ("alerts", "explain", "robots", "serve", "submit", "quarantine", "plan", "failed", "trace")


@pytest.mark.slow
@pytest.mark.parametrize("command", [*LIGHT, *(pytest.param(one, marks=pytest.mark.long) for one in OTHERS)])
def test_what_does_not_search_loads_no_compiled_loops(command: str) -> None:
    """They are 0.8 s at each start, and 110 MB for as long as a crawl runs."""
    done = run(command, "--help")
    assert done.returncode == 0, done.stderr.decode()
    assert command in done.stdout.decode()


@pytest.mark.folder
def test_status_opens_an_index_without_compiled_loops(tmp_path: Path) -> None:
    flagged = replace(page("http://a.example/", "amber"), flag=Flag.DENIED)
    Follower(Memory(flagged), tmp_path).catch_up()
    done = run("status", "-s", f"DATA_DIR={tmp_path}")
    assert done.returncode == 0, done.stderr.decode()
    assert re.search(r"^indexed +1$", done.stdout.decode(), re.MULTILINE)
