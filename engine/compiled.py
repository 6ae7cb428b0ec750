"""Loops over arrays as machine code: numba compiles a function for the types it names, once, and keeps it.

What was compiled lies in NUMBA_CACHE_DIR, else beside the module, else in the user's cache folder; where
none of them can be written it is compiled whenever a process starts. Indexes are checked as Python checks
them, because arrays may come from a damaged file: what is out of bounds raises IndexError, at the cost of a
third of a nanosecond. Integers are of 64 bits and wrap around. The GIL is given back while a loop runs.
"""

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

import numba

P = ParamSpec("P")
T = TypeVar("T")
Number = Any
"""In a compiled function an integer of 64 bits, in Python an int."""

I64, F32, F64 = numba.int64, numba.float32, numba.float64
U8, U16, U32, U64, I32, BOOL = (
    numba.uint8,
    numba.uint16,
    numba.uint32,
    numba.uint64,
    numba.int32,
    numba.boolean,
)
NONE = numba.void


def given(kind: Any, dimensions: int = 1) -> Any:
    """The type of an array that is only read; it may lie in a file."""
    return numba.types.Array(kind, dimensions, "C", readonly=True)


def filled(kind: Any, dimensions: int = 1) -> Any:
    """The type of an array that is written, or made."""
    return numba.types.Array(kind, dimensions, "C")


def several(*kinds: Any) -> Any:
    """The type of a tuple."""
    made: Any = numba.types.Tuple(kinds)  # type: ignore[no-untyped-call]
    return made


def compiled(*signatures: Any) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Compile for these signatures, RESULT(ARGUMENT, ...); for what else it is called with: TypeError."""

    def of(function: Callable[P, T]) -> Callable[P, T]:
        try:
            return _made(function, signatures, True)
        except RuntimeError:  # numba finds no folder that it may write to
            return _made(function, signatures, False)

    return of


def _made(function: Callable[P, T], signatures: Any, kept: bool) -> Callable[P, T]:
    made: Callable[P, T] = numba.njit(list(signatures), boundscheck=True, nogil=True, cache=kept)(function)
    return made


def inlined(function: Callable[P, T]) -> Callable[P, T]:
    """A part of compiled functions; compiled with each of them."""
    made: Callable[P, T] = numba.njit(boundscheck=True, inline="never")(function)
    return made
