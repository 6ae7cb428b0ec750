"""A fork of the process that has imported all is as good as a new one."""

import signal
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryFile

import pytest

from engine.ranking import Ranking, dump_ranking
from tests.conftest import ROOT
from tests.running import command
from tests.warm import Fork


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "code", "why"),
    [
        (("crawl", "web", "-a", "seeds=ftp://x"), 2, "one line on standard error"),
        (("crawl", "--help"), 0, "standard output"),
    ],
)
def test_it_says_what_a_new_process_says(tmp_path: Path, words: tuple[str, ...], code: int, why: str) -> None:
    line = command(tmp_path, *words)
    new = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, timeout=100)
    with TemporaryFile("w+") as out, TemporaryFile("w+") as err:
        fork = Fork(line, stdout=out.fileno(), stderr=err.fileno())
        assert fork.wait(100) == new.returncode == code, why
        assert (out.seek(0), err.seek(0)) == (0, 0)
        assert (out.read(), err.read()) == (new.stdout, new.stderr), why
    assert new.stdout or new.stderr, why


def test_it_reads_what_it_is_given_and_can_be_killed(tmp_path: Path) -> None:
    options = [str(tmp_path), "", "", dump_ranking(Ranking()), "0", "[]", "15"]
    follower = [sys.executable, "-m", "engine.index.indexing", *options]
    killed, ended = (Fork(follower, stdin=subprocess.PIPE, process_group=0) for _ in range(2))
    assert (killed.poll(), ended.poll()) == (None, None)
    killed.kill()
    assert killed.wait(60) == -signal.SIGKILL
    assert killed.stdin
    killed.stdin.close()
    assert ended.stdin
    ended.stdin.close()
    assert ended.wait(60) == 0, "it follows until its standard input closes"
