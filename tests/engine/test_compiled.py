"""Compiled loops: what they refuse, and where they may be kept."""

import os
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from engine import compiled as compiled_module
from engine.compiled import F64, I64, _made_of, _spell_type, compiled, filled, given, record


@compiled(I64(given(I64), I64))
def taken(numbers: np.ndarray, at: int) -> int:
    """One number."""
    return int(numbers[at])


@pytest.mark.parametrize(
    ("at", "error", "why"),
    [
        (2, None, "the last one"),
        (3, IndexError, "behind the last: a damaged file may ask for it"),
        (-4, IndexError, "before the first"),
        (1 << 62, IndexError, "far away"),
    ],
)
def test_places_are_checked(at: int, error: type[Exception] | None, why: str) -> None:
    numbers = np.arange(3)
    if error is None:
        assert taken(numbers, at) == at, why
    else:
        with pytest.raises(error):
            taken(numbers, at)


def test_types_are_those_of_the_signature() -> None:
    with pytest.raises(TypeError):
        taken(np.arange(3, dtype=np.int32), 0)
    assert filled(I64) != given(I64)


class Scaled(NamedTuple):
    """Numbers and a factor."""

    numbers: np.ndarray
    factor: float


@compiled(F64(record(Scaled, numbers=given(I64), factor=F64), I64))
def scale(scaled: Scaled, at: int) -> float:
    """One number times the factor."""
    return float(scaled.numbers[at] * scaled.factor)


READ_ONLY = np.arange(3)
READ_ONLY.setflags(write=False)


@pytest.mark.parametrize(
    ("scaled", "error", "why"),
    [
        (Scaled(np.arange(3), 1.5), None, "what its fields are said to be"),
        (Scaled(READ_ONLY, 1.5), None, "an array that lies in a file"),
        (Scaled(np.arange(3), 1), None, "an integer is converted, as an argument by itself"),
        (Scaled(np.arange(3, dtype=np.int32), 1.5), TypeError, "other numbers would be misread"),
        (Scaled(np.arange(6)[::2], 1.5), TypeError, "so would numbers with others between them"),
    ],
)
def test_fields_are_of_the_types_of_the_record(
    scaled: Scaled, error: type[Exception] | None, why: str
) -> None:
    if error is None:
        assert scale(scaled, 2) == 2 * scaled.factor, why
    else:
        with pytest.raises(error):
            scale(scaled, 2)


def test_what_was_compiled_is_known_by_the_fields_of_its_records() -> None:
    """Fields of one type that change places make no difference to numba."""
    one = NamedTuple("one", [("start", int), ("end", int)])  # noqa: UP014 - two of one name
    other = NamedTuple("one", [("end", int), ("start", int)])  # type: ignore[name-match]  # noqa: UP014
    assert _spell_type(record(one, start=I64, end=I64)) != _spell_type(record(other, start=I64, end=I64))


PARTS = """
from typing import NamedTuple
from engine.compiled import I64, compiled, inlined
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
        return made["loop"]._cache._made_of

    assert (cache(PARTS) == cache(PARTS.replace(before, after))) is same, why


def test_who_waits_for_the_compiler_is_told_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Once in a process; the next one finds what this one has kept."""
    (tmp_path / "loops.py").write_text(PARTS + PARTS.replace("loop", "another"))
    for said in ("compiling the loops of index and search: a minute or two, once\n", ""):
        monkeypatch.setattr(compiled_module._TELLING, "told", False)
        runpy.run_path(str(tmp_path / "loops.py"))
        assert capsys.readouterr().err == said


def test_without_a_folder_to_keep_them_in_they_are_compiled_all_the_same(tmp_path: Path) -> None:
    """As under a service manager that lets it write to its data alone."""
    code = """
import numba.core.caching as caching
caching.CacheImpl._locator_classes = []
from tests.engine.test_compiled import taken
import numpy
print(taken(numpy.arange(3), 1))
"""
    run = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
        env={**os.environ, "NUMBA_CACHE_DIR": ""},
    )
    assert run.stdout == "1\n"


def test_what_else_a_process_holds_makes_no_difference() -> None:
    """What is known under another key in another process would be compiled by each of them."""
    made: dict[str, Any] = {}
    exec("def loop(number):\n    return number, 'never said elsewhere'", made)
    alone = _made_of(made["loop"])
    held = [
        *made["loop"].__code__.co_varnames,
        *made["loop"].__code__.co_consts,
        made["loop"].__code__.co_code,
    ]
    assert _made_of(made["loop"]) == alone, "some of it in other hands"
    assert held
