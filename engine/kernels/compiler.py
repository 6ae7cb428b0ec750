"""Compiles kernels by numba, for the types of engine.kernels.types; loads what was compiled before."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import update_wrapper
from typing import Any

import numba
import numba.extending
from llvmlite import ir
from numba.core import event, typeconv

from engine.kernels.bits import count_ones, leading_zeros, trailing_zeros
from engine.kernels.cache import KernelCache
from engine.kernels.kernel import Kernel
from engine.kernels.notice import NOTICE
from engine.kernels.types import ArrayType, KernelType, RecordType, ScalarType, Signature, TupleType

_NJIT: Any = numba.njit
_TYPES: Any = numba.types
_NAMED_TUPLE: Any = numba.types.NamedTuple
_TUPLE: Any = numba.types.BaseTuple
_EXTENDING: Any = numba.extending
_CONVERSION: Any = typeconv
_SAFE = _CONVERSION.Conversion.safe


def compile_kernel(kernel: Kernel) -> Any:
    """Compiles a kernel, or loads it from the cache; returns numba's dispatcher.

    One without signatures is a part, which is compiled with what it is put into.
    """
    if not kernel.signatures:
        return _NJIT(boundscheck=True, **kernel.targetoptions)(kernel.py_func)
    # Nobody calls it as C functions are called.
    made: Any = _NJIT(boundscheck=True, no_cfunc_wrapper=True, **kernel.targetoptions)(kernel.py_func)
    with suppress(RuntimeError):  # numba finds no folder that it may write to
        made._cache = KernelCache(kernel.py_func)
    for signature in kernel.signatures:
        made.compile(convert(signature.result)(*map(convert, signature.arguments)))
    made.disable_compile()
    return made


def pass_plain(loop: Callable[..., Any], signatures: Sequence[Signature]) -> Callable[..., Any]:
    """Passes those arguments as plain tuples that are NamedTuples.

    Numba would spell the field names of a NamedTuple at each call, for a microsecond or two.
    """
    kinds = signatures[0].arguments if signatures else ()
    names = [f"argument_{at}" for at in range(len(kinds))]
    plain = [
        f"{name}[:]" if isinstance(kind, RecordType) else name
        for name, kind in zip(names, kinds, strict=True)
    ]
    if plain == names:
        return loop
    source = f"lambda {', '.join(names)}: loop({', '.join(plain)})"
    call: Callable[..., Any] = eval(source, {"loop": loop})  # noqa: S307 - as namedtuple
    return update_wrapper(call, loop)


def convert(kind: KernelType) -> Any:
    """Converts a type to numba's."""
    match kind:
        case ScalarType(name):
            return getattr(numba.types, name)
        case ArrayType(item, dimensions, is_readonly):
            return numba.types.Array(convert(item), dimensions, "C", readonly=is_readonly)
        case RecordType(fields, made):
            return PlainNamedTuple(tuple(map(convert, fields)), made)
        case TupleType(fields, None):
            return _TYPES.Tuple(tuple(map(convert, fields)))
        case TupleType(fields, made):
            return _TUPLE.from_types(tuple(map(convert, fields)), made)
        case _:
            raise AssertionError(kind)


class PlainNamedTuple(_NAMED_TUPLE):  # type: ignore[misc]
    """The type of a NamedTuple that comes from Python as a tuple without names."""

    def can_convert_from(self, context: Any, other: Any) -> Any:
        """Converts a tuple as numba converts it to another tuple: field by field."""
        is_plain = isinstance(other, numba.types.BaseAnonymousTuple)
        if not is_plain or len(other.types) != len(self.types):
            return None
        found = [context.can_convert(one, field) for one, field in zip(other.types, self.types, strict=True)]
        return None if None in found else max(*found, _SAFE)


_EXTENDING.register_model(PlainNamedTuple)(numba.core.datamodel.models.TupleModel)


def _define_instruction(function: Callable[..., Any], name: str, *flags: bool) -> None:
    """Makes a function of a U64 one instruction, which takes these flags as well."""

    def typed(_: Any) -> Any:
        return lambda word: numba.int64 if word == numba.uint64 else None

    def code(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        more = [ir.Constant(ir.IntType(1), flag) for flag in flags]
        return getattr(builder, name)(arguments[0], *more)

    _EXTENDING.type_callable(function)(typed)
    _EXTENDING.lower_builtin(function, numba.types.uint64)(code)


_EVENT: Any = event
_EVENT.register("numba:compile", NOTICE)
_define_instruction(count_ones, "ctpop")
_define_instruction(trailing_zeros, "cttz", False)
_define_instruction(leading_zeros, "ctlz", False)
