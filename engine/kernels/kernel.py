"""A function that is compiled when it is first called, or compiled into another that is."""

from collections.abc import Callable, Mapping, Sequence
from functools import update_wrapper
from threading import RLock
from typing import Any

from engine.kernels.types import Signature

_LOCK = RLock()  # one thread compiles, which may take seconds; others that call the same wait for it


class Kernel:
    """A function, and how numba is to compile it: for these signatures alone, with none as a part of others.

    It stands for what numba makes of it, which is made when it is needed: numba takes .2 s and 60 MB, all
    kernels together half a second and 90 MB. Raises TypeError for arguments of other types.
    """

    def __init__(self, function: Callable[..., Any], signatures: Sequence[Signature], **options: Any) -> None:
        update_wrapper(self, function)
        self.py_func = function
        self.signatures = signatures
        self.targetoptions: Mapping[str, Any] = options  # by this name numba looks for what is to be inlined
        self._compiled: Any = None
        self._call: Callable[..., Any] = self._compile_and_call

    def __call__(self, *arguments: Any) -> Any:
        """Calls what was compiled."""
        return self._call(*arguments)

    @property
    def is_compiled(self) -> bool:
        """Tells whether it was compiled, or loaded."""
        return self._compiled is not None

    def compile(self) -> None:
        """Compiles it, or loads it from the cache, unless that is done."""
        with _LOCK:
            if self._compiled is None:
                from engine.kernels.compiler import compile_kernel, pass_plain

                self._compiled = compile_kernel(self)
                self._call = pass_plain(self._compiled, self.signatures)

    def _compile_and_call(self, *arguments: Any) -> Any:
        self.compile()
        return self._call(*arguments)

    @property
    def _numba_type_(self) -> Any:
        """The type of what was compiled, by the name by which numba asks for that of a value it meets."""
        self.compile()
        return self._compiled._numba_type_
