"""Defines decorators that compile a function or inline it into compiled ones."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import update_wrapper
from typing import Any, ParamSpec, TypeVar

import numba
from numba.core.compiler_lock import global_compiler_lock

from engine.kernels.cache import KernelCache
from engine.kernels.types import NamedTupleType

P = ParamSpec("P")
T = TypeVar("T")
_NJIT: Any = numba.njit
_LOCK: Any = global_compiler_lock


@dataclass(frozen=True)
class Kernel:
    """A function that numba compiles for these signatures alone, when it is called or compiled into another.

    Loading all of them from the cache takes most of a second and 90 MB; few processes call more than some.
    """

    dispatcher: Any
    signatures: Sequence[Any]

    def __post_init__(self) -> None:
        """Puts itself before the two methods that numba asks to compile for the types it is given."""
        self.dispatcher._compile_for_args = self._compile_for_call
        self.dispatcher.get_call_template = self._compile_for_caller

    def compile(self) -> None:
        """Compiles it, or loads it from the cache, unless that is done; another thread waits."""
        with _LOCK:
            if "_compile_for_args" in self.dispatcher.__dict__:
                for signature in self.signatures:
                    self.dispatcher.compile(signature)
                self.dispatcher.disable_compile()
                del self.dispatcher._compile_for_args, self.dispatcher.get_call_template

    def _compile_for_call(self, *_: Any) -> Any:
        self.compile()
        return self.dispatcher  # is called again

    def _compile_for_caller(self, *types: Any) -> Any:
        self.compile()
        return self.dispatcher.get_call_template(*types)


kernels: list[Kernel] = []
"""The kernels of all modules that were imported, in the order in which they are defined."""


def compile_kernels() -> None:
    """Compiles all kernels of what was imported, or loads them, for forks that share their memory."""
    for kernel in kernels:
        kernel.compile()


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
    kernels.append(Kernel(made, signatures))
    return made


def _pass_plain(loop: Any, count: int, records: Sequence[int]) -> Any:
    """Passes some of `count` arguments as plain tuples.

    Numba would spell the field names of a NamedTuple at each call, for a microsecond or two.
    """
    names = [f"argument_{at}" for at in range(count)]
    plain = ", ".join(f"{name}[:]" if at in records else name for at, name in enumerate(names))
    call = eval(f"lambda {', '.join(names)}: loop({plain})", {"loop": loop})  # noqa: S307 - as namedtuple
    return update_wrapper(call, loop.py_func)
