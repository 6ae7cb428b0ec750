"""Kernels in the cache: what they are known by, and where none can be kept."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from engine.kernels import I64, record_of
from engine.kernels.cache import KernelCache, collect_code, spell_type
from engine.kernels.compiler import convert


def test_what_was_compiled_is_known_by_the_fields_of_its_records() -> None:
    """Fields of one type that change places make no difference to numba."""
    one = NamedTuple("one", [("start", int), ("end", int)])  # noqa: UP014 - two of one name
    other = NamedTuple("one", [("end", int), ("start", int)])  # type: ignore[name-match]  # noqa: UP014
    kinds = [convert(record_of(kind, start=I64, end=I64)) for kind in (one, other)]
    assert spell_type(kinds[0]) != spell_type(kinds[1])


PARTS = """
from typing import NamedTuple
from engine.kernels import I64, compiled, inlined
STEP = 1
class Pair(NamedTuple):
    one: int
    other: int
@inlined
def part(number):
    return number + STEP
@compiled(I64(I64))
def loop(number):
    return part(number) + Pair(one=1, other=0).one
"""


@pytest.mark.parametrize(
    ("before", "after", "same", "why"),
    [
        ("STEP = 1", "STEP = 1", True, "nothing has changed"),
        ("number + STEP", "number - STEP", False, "a part of it, which may be in another file"),
        ("STEP = 1", "STEP = 2", False, "a constant of a part of it"),
        ("return part(number)", "return part(2 * number)", False, "itself"),
        ("one: int\n    other", "other: int\n    one", False, "the fields of what it makes"),
    ],
)
def test_what_was_compiled_is_known_by_all_that_it_was_made_of(
    before: str, after: str, same: bool, why: str
) -> None:
    def cache(source: str) -> object:
        made: dict[str, Any] = {"__name__": __name__}  # what was kept is read by a module that is there
        exec(compile(source, str(Path(__file__)), "exec"), made)
        return KernelCache(made["loop"].py_func)._digest

    assert (cache(PARTS) == cache(PARTS.replace(before, after))) is same, why


@pytest.mark.parametrize(
    "source",
    [
        "def loop(number):\n    return number + 1\n",
        "def loop(number):\n    return [part for part in range(number)]\n",
    ],
)
def test_what_was_compiled_is_known_in_an_installation_that_was_moved(source: str) -> None:
    """Beside its modules what was compiled moves along; compiled anew, the first search takes minutes."""

    def collect(path: str) -> set[bytes]:
        made: dict[str, Any] = {}
        exec(compile(source, path, "exec"), made)
        return collect_code(made["loop"])

    assert collect("/opt/lycosa/loops.py") == collect("/srv/search/loops.py")


@pytest.mark.slow
def test_without_a_folder_to_keep_them_in_they_are_compiled_all_the_same(tmp_path: Path) -> None:
    """As under a service manager that lets it write to its data alone."""
    code = """
import numba.core.caching as caching
caching.CacheImpl._locator_classes = []
from tests.engine.kernels.test_decorators import taken
import numpy
print(taken(numpy.arange(3), 1))
"""
    run = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[3],
        env={**os.environ, "NUMBA_CACHE_DIR": ""},
    )
    assert run.stdout == "1\n"


def test_what_else_a_process_holds_makes_no_difference() -> None:
    """What is known under another key in another process would be compiled by each of them."""
    made: dict[str, Any] = {}
    exec("def loop(number):\n    return number, 'never said elsewhere'", made)
    alone = collect_code(made["loop"])
    held = [
        *made["loop"].__code__.co_varnames,
        *made["loop"].__code__.co_consts,
        made["loop"].__code__.co_code,
    ]
    assert collect_code(made["loop"]) == alone, "some of it in other hands"
    assert held
