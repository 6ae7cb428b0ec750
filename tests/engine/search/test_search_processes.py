"""Many processes search one index while another one commits to it."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from engine.index.indexing.follow import Follower
from tests.conftest import ROOT
from tests.engine.index.reading import PAGES, SEEN, WORD
from tests.engine.index.source import Memory, page

STARTS = 60.0  # seconds that a process may take to begin on a busy machine


def commit(source: Memory, follower: Follower, version: int) -> None:
    """All pages anew, in one commit."""
    for number in range(PAGES):
        source.put(page(f"http://a.example/{number}", f"{WORD} {number}", f"Version {version}"))
    assert follower.step() == PAGES


@pytest.mark.slow
@pytest.mark.requirement(290)
@pytest.mark.parametrize(
    ("readers", "commits", "pause"),
    [
        pytest.param(2, 4, 0.3, id="small"),
        pytest.param(20, 120, 1.0, id="full", marks=pytest.mark.long),
    ],
)
def test_no_answer_is_torn(tmp_path: Path, readers: int, commits: int, pause: float) -> None:
    """Many queries at once, while the index changes every second, and no error."""
    source = Memory()
    follower = Follower(source, tmp_path)
    commit(source, follower, 0)
    line = [sys.executable, "-m", "tests.engine.index.reading", str(tmp_path)]
    pipe = subprocess.PIPE
    processes = [
        subprocess.Popen(line, cwd=ROOT, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
        for _ in range(readers)
    ]
    try:
        for process in processes:
            assert process.stdout
            assert process.stdout.readline() == SEEN, "the first"
        for version in range(1, commits + 1):
            time.sleep(pause)
            commit(source, follower, version)
        for process in processes:
            assert process.stdout
            assert process.stdout.readline() == SEEN, "it sees the index change"
        ended = [process.communicate(timeout=STARTS) for process in processes]
    finally:
        for process in processes:
            process.kill()
    for (said, error), process in zip(ended, processes, strict=True):
        assert process.returncode == 0, error[-2000:]
        answers, versions = map(int, said.splitlines()[-1].split())
        assert answers >= versions >= 2
