"""Compiles loops over arrays with numba: when they are first called, for the types they name, cached on disk.

What was compiled lies in NUMBA_CACHE_DIR, else beside the module, else in the user's cache folder; where
none of them can be written each process compiles what it calls; standard error says that it does. Indexes
are checked as Python checks them, because arrays may come from a damaged file: what is out of bounds raises
IndexError, at the cost of a third of a nanosecond. Integers are of 64 bits and wrap around. The GIL is given
back while a loop runs.
"""

from engine.kernels.bits import count_ones, leading_zeros, trailing_zeros
from engine.kernels.decorators import compile_kernels, compiled, inlined, linked, outlined
from engine.kernels.types import (
    BOOL,
    F32,
    F64,
    I32,
    I64,
    NONE,
    U8,
    U16,
    U32,
    U64,
    Number,
    made_of,
    mutable,
    readonly,
    record_of,
    tuple_of,
)

__all__ = [
    "BOOL",
    "F32",
    "F64",
    "I32",
    "I64",
    "NONE",
    "U8",
    "U16",
    "U32",
    "U64",
    "Number",
    "compile_kernels",
    "compiled",
    "count_ones",
    "inlined",
    "leading_zeros",
    "linked",
    "made_of",
    "mutable",
    "outlined",
    "readonly",
    "record_of",
    "trailing_zeros",
    "tuple_of",
]
