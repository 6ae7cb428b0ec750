"""Compiled loops: what they refuse."""

from typing import NamedTuple

import numpy as np
import pytest

from engine.kernels import F64, I64, compiled, mutable, readonly, record_of


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
