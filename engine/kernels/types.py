"""Defines the types that kernels are compiled for: numbers, arrays, tuples and NamedTuples of them.

They become numba's when a kernel is compiled (engine.kernels.compiler): who only defines kernels need not
load it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Number = Any
"""In a compiled function an integer of 64 bits, in Python an int."""


@dataclass(frozen=True)
class KernelType:
    """The type of an argument or a result; called with types of arguments it is a signature."""

    def __call__(self, *arguments: "KernelType") -> "Signature":
        """Returns the signature of a kernel that takes these arguments and returns this."""
        return Signature(self, arguments)


@dataclass(frozen=True)
class Signature:
    """What a kernel returns and takes."""

    result: KernelType
    arguments: Sequence[KernelType]


@dataclass(frozen=True)
class ScalarType(KernelType):
    """A number, by numba's name for it."""

    name: str


@dataclass(frozen=True)
class ArrayType(KernelType):
    """An array of numbers, row by row."""

    item: ScalarType
    dimensions: int
    is_readonly: bool


@dataclass(frozen=True)
class TupleType(KernelType):
    """A tuple; with a `kind` one that a kernel makes of this NamedTuple."""

    fields: Sequence[KernelType]
    kind: type | None = None


@dataclass(frozen=True)
class RecordType(KernelType):
    """A NamedTuple that comes from Python."""

    fields: Sequence[KernelType]
    kind: type


NONE = ScalarType("void")
BOOL = ScalarType("boolean")
U8, U16, U32, U64 = (ScalarType(f"uint{bits}") for bits in (8, 16, 32, 64))
I32, I64 = ScalarType("int32"), ScalarType("int64")
F32, F64 = ScalarType("float32"), ScalarType("float64")


def readonly(item: ScalarType, dimensions: int = 1) -> ArrayType:
    """Returns the type of an array that is only read; it may lie in a file."""
    return ArrayType(item, dimensions, is_readonly=True)


def mutable(item: ScalarType, dimensions: int = 1) -> ArrayType:
    """Returns the type of an array that is written, or made by the kernel."""
    return ArrayType(item, dimensions, is_readonly=False)


def tuple_of(*fields: KernelType) -> TupleType:
    """Returns the type of a tuple."""
    return TupleType(fields)


def record_of(kind: type, /, **fields: KernelType) -> RecordType:
    """Returns the type of a NamedTuple with these types of its fields."""
    return RecordType(_in_order(kind, fields), kind)


def made_of(kind: type, /, **fields: KernelType) -> TupleType:
    """Returns the type of such a NamedTuple that a kernel makes and gives to a part of it."""
    return TupleType(_in_order(kind, fields), kind)


def _in_order(kind: type, fields: Mapping[str, KernelType]) -> Sequence[KernelType]:
    return tuple(fields[name] for name in kind.__annotations__)
