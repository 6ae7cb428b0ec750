"""Defines decorators that compile a function or inline it into compiled ones."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import update_wrapper
from typing import Any, ParamSpec, TypeVar

import numba

from engine.kernels.cache import KernelCache
from engine.kernels.types import NamedTupleType

P = ParamSpec("P")
T = TypeVar("T")


def compiled(*signatures: Any) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Compiles a kernel for these signatures, each RESULT(ARGUMENT, ...).

    The kernel raises TypeError for arguments of other types.
    """

    def of(function: Callable[P, T]) -> Callable[P, T]:
        made: Any = numba.njit(boundscheck=True, nogil=True)(function)
        with suppress(RuntimeError):  # numba finds no folder that it may write to
            made._cache = KernelCache(function)
        for signature in signatures:
            made.compile(signature)
        made.disable_compile()
        kinds = signatures[0].args
        records = [at for at, kind in enumerate(kinds) if isinstance(kind, NamedTupleType)]
        loop: Callable[P, T] = _pass_plain(made, len(kinds), records) if records else made
        return loop

    return of


def inlined(function: Callable[P, T]) -> Callable[P, T]:
    """Compiles a part of kernels that is put into each of them: a call with arrays would take 50 ns."""
    made: Callable[P, T] = numba.njit(boundscheck=True, inline="always")(function)
    return made


def outlined(function: Callable[P, T]) -> Callable[P, T]:
    """Compiles a part that kernels call: one so long that compiling it into each of them takes seconds."""
    made: Callable[P, T] = numba.njit(boundscheck=True)(function)
    return made


def _pass_plain(loop: Any, count: int, records: Sequence[int]) -> Any:
    """Passes some of `count` arguments as plain tuples.

    Numba would spell the field names of a NamedTuple at each call, for a microsecond or two.
    """
    names = [f"argument_{at}" for at in range(count)]
    plain = ", ".join(f"{name}[:]" if at in records else name for at, name in enumerate(names))
    call = eval(f"lambda {', '.join(names)}: loop({plain})", {"loop": loop})  # noqa: S307 - as namedtuple
    return update_wrapper(call, loop.py_func)
