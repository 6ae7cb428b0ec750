"""Compiled loops: what they refuse."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
import pytest

from engine.kernels import (
    F64,
    I64,
    compile_kernels,
    compiled,
    linked,
    made_of,
    mutable,
    outlined,
    readonly,
    record_of,
)


@compiled(I64(readonly(I64), I64))
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
    assert mutable(I64) != readonly(I64)


def define(names: Sequence[str]) -> list[Any]:
    """Kernels that no other test has called; the second calls the first."""
    made: dict[str, Any] = {"__name__": __name__}
    first, second = names
    source = f"""
from engine.kernels import I64, compiled, linked
@linked(I64(I64))
def {first}(number):
    return number + 1
@compiled(I64(I64))
def {second}(number):
    return 2 * {first}(number)
"""
    exec(compile(source, __file__, "exec"), made)
    return [made[name] for name in names]


def test_a_kernel_is_compiled_when_it_is_first_called() -> None:
    """A process loads what it calls: all kernels together take 90 MB."""
    part, whole = define(["waiting_part", "waiting"])
    assert not part.is_compiled
    assert not whole.is_compiled
    assert whole(3) == 8
    with pytest.raises(TypeError):
        whole("3")


def test_threads_that_call_a_kernel_at_once_wait_for_one_of_them() -> None:
    _, whole = define(["raced_part", "raced"])
    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(whole, range(64))) == [2 * number + 2 for number in range(64)]


def test_forks_share_what_was_compiled_before() -> None:
    _, whole = define(["early_part", "early"])
    compile_kernels()
    assert whole.is_compiled


class Scaled(NamedTuple):
    """Numbers and a factor."""

    numbers: np.ndarray
    factor: float


@compiled(F64(record_of(Scaled, numbers=readonly(I64), factor=F64), I64))
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


class Place(NamedTuple):
    """A place that a kernel makes."""

    at: int
    step: int


PLACE = made_of(Place, at=I64, step=I64)


@outlined(I64(readonly(I64), PLACE))
def called(numbers: np.ndarray, place: Place) -> int:
    """One number behind a place."""
    return int(numbers[place.at + place.step])


@linked(I64(readonly(I64), PLACE))
def put_in(numbers: np.ndarray, place: Place) -> int:
    """The same."""
    return int(numbers[place.at + place.step])


@compiled(I64(mutable(I64), I64))
def add_both(numbers: np.ndarray, at: int) -> int:
    """Twice a number, by parts that read alone."""
    return called(numbers, Place(at, 1)) + put_in(numbers, Place(at, 1))


@pytest.mark.parametrize(
    ("at", "error", "why"),
    [(1, None, "the last one"), (2, IndexError, "behind the last, as in the kernel itself")],
)
def test_parts_are_checked_as_their_kernels(at: int, error: type[Exception] | None, why: str) -> None:
    if error is None:
        assert add_both(np.arange(3), at) == 4, why
    else:
        with pytest.raises(error):
            add_both(np.arange(3), at)
