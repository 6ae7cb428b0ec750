"""Defines decorators that compile a function or inline it into compiled ones."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import update_wrapper
from typing import Any, ParamSpec, TypeVar

import numba

from engine.kernels.cache import KernelCache
from engine.kernels.types import NamedTupleType

P = ParamSpec("P")
T = TypeVar("T")
_NJIT: Any = numba.njit


@dataclass(frozen=True)
class Kernel:
    """A function that numba compiles for these signatures alone."""

    dispatcher: Any
    signatures: Sequence[Any]

    def compile(self) -> None:
        """Compiles it, or loads it from the cache."""
        for signature in self.signatures:
            self.dispatcher.compile(signature)
        self.dispatcher.disable_compile()


_deferred: list[list[Kernel]] = []


@contextmanager
def defer_compiling() -> Iterator[list[Kernel]]:
    """Lists the kernels of what is imported meanwhile, in this order, instead of compiling them."""
    _deferred.append([])
    try:
        yield _deferred[-1]
    finally:
        _deferred.pop()


def compiled(*signatures: Any) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Compiles a kernel for these signatures, each RESULT(ARGUMENT, ...).

    The kernel raises TypeError for arguments of other types.
    """

    def of(function: Callable[P, T]) -> Callable[P, T]:
        made = _compile(function, signatures, nogil=True)
        kinds = signatures[0].args
        records = [at for at, kind in enumerate(kinds) if isinstance(kind, NamedTupleType)]
        loop: Callable[P, T] = _pass_plain(made, len(kinds), records) if records else made
        return loop

    return of


def inlined(function: Callable[P, T]) -> Callable[P, T]:
    """Compiles a part of kernels that is put into each of them: a call with arrays would take 50 ns."""
    made: Callable[P, T] = numba.njit(boundscheck=True, inline="always")(function)
    return made


def outlined(*signatures: Any) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Compiles a part that kernels call: one so long that compiling it into each of them takes seconds."""

    def of(function: Callable[P, T]) -> Callable[P, T]:
        made: Callable[P, T] = _compile(function, signatures, no_cpython_wrapper=True)
        return made

    return of


def linked(*signatures: Any) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Compiles a long part once, and puts what it became into each kernel: as fast as an inlined one."""

    def of(function: Callable[P, T]) -> Callable[P, T]:
        made: Callable[P, T] = _compile(function, signatures, no_cpython_wrapper=True, forceinline=True)
        return made

    return of


def _compile(function: Callable[..., Any], signatures: Sequence[Any], **options: bool) -> Any:
    """Compiles a function for these types alone; nobody calls it as C functions are called."""
    made: Any = _NJIT(boundscheck=True, no_cfunc_wrapper=True, **options)(function)
    with suppress(RuntimeError):  # numba finds no folder that it may write to
        made._cache = KernelCache(function)
    kernel = Kernel(made, signatures)
    if _deferred:
        _deferred[-1].append(kernel)
    else:
        kernel.compile()
    return made


def _pass_plain(loop: Any, count: int, records: Sequence[int]) -> Any:
    """Passes some of `count` arguments as plain tuples.

    Numba would spell the field names of a NamedTuple at each call, for a microsecond or two.
    """
    names = [f"argument_{at}" for at in range(count)]
    plain = ", ".join(f"{name}[:]" if at in records else name for at, name in enumerate(names))
    call = eval(f"lambda {', '.join(names)}: loop({plain})", {"loop": loop})  # noqa: S307 - as namedtuple
    return update_wrapper(call, loop.py_func)
