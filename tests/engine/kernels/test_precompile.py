"""Kernels that several processes compile by turns."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.kernels.precompile import find_parts, load_kernels

LOOPS = """
from engine.kernels import I64, compiled, inlined, linked
@linked(I64(I64))
def double(number):
    return 2 * number
@inlined
def more(number):
    return double(number) + 1
@compiled(I64(I64))
def loop(number):
    return more(number)
@compiled(I64(I64))
def another(number):
    return number
"""


def python(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(folder), str(Path(__file__).parents[3])])
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder / "cache"), "PYTHONPATH": path}
    line = [sys.executable, *words]
    return subprocess.run(line, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)


@pytest.mark.slow
def test_what_they_compiled_is_loaded(tmp_path: Path) -> None:
    (tmp_path / "some_loops.py").write_text(LOOPS)
    done = python(tmp_path, "-m", "engine.kernels.precompile", "some_loops")
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    assert done.stderr.count("compiling the loops") <= 1, "one tells"
    used = python(tmp_path, "-c", "import some_loops; print(some_loops.loop(3), some_loops.another(3))")
    assert (used.stdout, used.stderr) == ("7 3\n", ""), "nothing is compiled any more"
    again = python(tmp_path, "-m", "engine.kernels.precompile", "some_loops")
    assert (again.returncode, again.stderr) == (0, "")


@pytest.mark.slow
def test_one_that_cannot_be_compiled_ends_them_all(tmp_path: Path) -> None:
    (tmp_path / "bad_loops.py").write_text(LOOPS.replace("2 * number", "number.nothing"))
    done = python(tmp_path, "-m", "engine.kernels.precompile", "bad_loops")
    assert done.returncode == 1
    assert "nothing" in done.stderr


def test_parts_are_found_through_what_is_inlined(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "parted_loops.py").write_text(LOOPS)
    monkeypatch.syspath_prepend(tmp_path)
    double, loop, another = kernels = load_kernels(["parted_loops"])[-3:]
    assert [find_parts(one, kernels) for one in (double, loop, another)] == [set(), {0}, set()]
