"""Counts bits in one instruction, within kernels (engine.kernels.compiler); Python cannot call these."""

from typing import Any


def count_ones(word: Any) -> Any:
    """Counts the bits of a U64 that are 1."""
    raise NotImplementedError


def trailing_zeros(word: Any) -> Any:
    """Counts the bits of a U64 below the lowest 1; 64 where there is none."""
    raise NotImplementedError


def leading_zeros(word: Any) -> Any:
    """Counts the bits of a U64 above the highest 1; 64 where there is none."""
    raise NotImplementedError
