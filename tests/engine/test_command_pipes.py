"""Commands whose reader has seen enough, as `| head` has, or whose log is on a full disk: they end well."""

import subprocess
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.running import command


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "unbuffered"),
    [
        (("status",), ""),
        pytest.param(("status",), "1", marks=pytest.mark.long),
        pytest.param(("status", "--json"), "", marks=pytest.mark.long),
        (("explain", "http://h.example/"), "1"),
    ],
    ids=str,
)
def test_nobody_reads(tmp_path: Path, words: tuple[str, ...], unbuffered: str) -> None:
    """Written at once or at the end: neither a complaint of ours nor one of Python's as it ends."""
    with subprocess.Popen(
        command(tmp_path, *words),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={"PYTHONUNBUFFERED": unbuffered},
    ) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode in (0, 1), "1: what explain and check say of what they found"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "code", "why"),
    [
        (("status", "--no-such-option"), 2, "Scrapy's own sentence"),
        (("status", "unexpected"), 2, "a usage error"),
        (("remove", "--undo", "7"), 2, "a sentence of ours"),
        (("search", "words"), 2, "there is no index"),
        (("status",), 0, "nothing is wrong"),
        (("crawl", "web", "-a", "seeds=http://127.0.0.1:9/", "-a", "own=1"), 3, "lines of a log"),
    ],
)
def test_its_log_is_on_a_full_disk(tmp_path: Path, words: tuple[str, ...], code: int, why: str) -> None:
    """What it cannot say, its exit code says; not 1, which is a bug of ours, and not Python's 120."""
    with open("/dev/full", "w") as full:  # full(4)
        done = subprocess.run(
            command(tmp_path, *words), cwd=ROOT, stdout=subprocess.DEVNULL, stderr=full, check=False
        )
    assert done.returncode == code, why
