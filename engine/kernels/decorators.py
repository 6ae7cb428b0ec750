"""Defines decorators that compile a function or inline it into compiled ones."""

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from engine.kernels.kernel import Kernel
from engine.kernels.types import Signature

P = ParamSpec("P")
T = TypeVar("T")

kernels: list[Kernel] = []
"""The kernels of all modules that were imported, in the order in which they are defined."""


def compile_kernels() -> None:
    """Compiles all kernels of what was imported, or loads them, for forks that share their memory."""
    for kernel in kernels:
        kernel.compile()


def compiled(*signatures: Signature) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Compiles a kernel for these signatures, each RESULT(ARGUMENT, ...).

    The kernel raises TypeError for arguments of other types.
    """
    return lambda function: _define(function, signatures, nogil=True)


def inlined(function: Callable[P, T]) -> Callable[P, T]:
    """Compiles a part of kernels that is put into each of them: a call with arrays would take 50 ns."""
    made: Any = Kernel(function, (), inline="always")
    return made  # type: ignore[no-any-return]


def outlined(*signatures: Signature) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Compiles a part that kernels call: one so long that compiling it into each of them takes seconds."""
    return lambda function: _define(function, signatures, no_cpython_wrapper=True)


def linked(*signatures: Signature) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Compiles a long part once, and puts what it became into each kernel: as fast as an inlined one."""
    return lambda function: _define(function, signatures, no_cpython_wrapper=True, forceinline=True)


def _define(function: Callable[P, T], signatures: tuple[Signature, ...], **options: bool) -> Callable[P, T]:
    kernels.append(Kernel(function, signatures, **options))
    made: Any = kernels[-1]
    return made  # type: ignore[no-any-return]
