"""Commands whose reader has seen enough, as `| head` has: they end, and say nothing of it."""

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
