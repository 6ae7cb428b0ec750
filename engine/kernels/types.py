"""Defines the types that kernels are compiled for: numbers, arrays, tuples and NamedTuples of them."""

from typing import Any

import numba
import numba.extending
from numba.core import typeconv

_NAMED_TUPLE: Any = numba.types.NamedTuple
_TUPLE: Any = numba.types.BaseTuple
_CONVERSION: Any = typeconv
_SAFE = _CONVERSION.Conversion.safe
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


def readonly(kind: Any, dimensions: int = 1) -> Any:
    """Returns the type of an array that is only read; it may lie in a file."""
    return numba.types.Array(kind, dimensions, "C", readonly=True)


def mutable(kind: Any, dimensions: int = 1) -> Any:
    """Returns the type of an array that is written, or made by the kernel."""
    return numba.types.Array(kind, dimensions, "C")


def tuple_of(*kinds: Any) -> Any:
    """Returns the type of a tuple."""
    made: Any = numba.types.Tuple(kinds)  # type: ignore[no-untyped-call]
    return made


def record_of(kind: type, /, **fields: Any) -> Any:
    """Returns the type of a NamedTuple with these types of its fields."""
    return NamedTupleType(tuple(fields[name] for name in kind.__annotations__), kind)


def made_of(kind: type, /, **fields: Any) -> Any:
    """Returns the type of such a NamedTuple that a kernel makes and gives to a part of it."""
    made: Any = _TUPLE.from_types(tuple(fields[name] for name in kind.__annotations__), kind)
    return made


class NamedTupleType(_NAMED_TUPLE):  # type: ignore[misc]
    """The type of a NamedTuple that comes from Python as a tuple without names."""

    def can_convert_from(self, context: Any, other: Any) -> Any:
        """Converts a tuple as numba converts it to another tuple: field by field."""
        is_plain = isinstance(other, numba.types.BaseAnonymousTuple)
        if not is_plain or len(other.types) != len(self.types):
            return None
        found = [context.can_convert(one, field) for one, field in zip(other.types, self.types, strict=True)]
        return None if None in found else max(*found, _SAFE)


_MODEL: Any = numba.extending.register_model
_MODEL(NamedTupleType)(numba.core.datamodel.models.TupleModel)
