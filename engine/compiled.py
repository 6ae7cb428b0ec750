"""Compiles loops over arrays with numba: once for the types it names, cached on disk.

What was compiled lies in NUMBA_CACHE_DIR, else beside the module, else in the user's cache folder; where
none of them can be written it is compiled whenever a process starts; standard error says that it is. Indexes
are checked as Python checks them, because arrays may come from a damaged file: what is out of bounds raises
IndexError, at the cost of a third of a nanosecond. Integers are of 64 bits and wrap around. The GIL is given
back while a loop runs.
"""

import marshal
import pickle
import sys
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from types import ModuleType
from typing import Any, ParamSpec, TypeVar

import numba
from numba.core import caching, event

_CACHE: Any = caching.FunctionCache
_LISTENER: Any = event.Listener
_PLAIN = 2  # of marshal: later versions tell apart what else the process holds of the same names
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
        made: Any = numba.njit(boundscheck=True, nogil=True)(function)
        with suppress(RuntimeError):  # numba finds no folder that it may write to
            made._cache = _Kept(function)
        for signature in signatures:
            made.compile(signature)
        made.disable_compile()
        loop: Callable[P, T] = made
        return loop

    return of


def inlined(function: Callable[P, T]) -> Callable[P, T]:
    """A part of compiled functions that is put into each of them: calls with arrays take 50 ns."""
    made: Callable[P, T] = numba.njit(boundscheck=True, inline="always")(function)
    return made


def called(function: Callable[P, T]) -> Callable[P, T]:
    """A part that they call: one so long that compiling it once for each of them takes seconds."""
    made: Callable[P, T] = numba.njit(boundscheck=True)(function)
    return made


class _Kept(_CACHE):  # type: ignore[misc]
    """What was compiled, under all that it was made of; numba by itself looks at the function's file only."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._made_of = sha256(b"".join(sorted(_made_of(function)))).hexdigest()

    def _index_key(self, signature: Any, codegen: Any) -> tuple[Any, ...]:
        return (*super()._index_key(signature, codegen), self._made_of)


class _Telling(_LISTENER):  # type: ignore[misc]
    """Says, once in a process, that something is compiled: a command would seem to hang."""

    told = False

    def on_start(self, _: object) -> None:
        """Before numba compiles a function; not where it was kept."""
        if not self.told:
            self.told = True
            sys.stderr.write("compiling the loops of index and search: a minute or two, once\n")

    def on_end(self, _: object) -> None:
        """Who waited sees what comes next."""


_TELLING = _Telling()
_REGISTER: Any = event.register
_REGISTER("numba:compile", _TELLING)


def _made_of(function: Any) -> set[bytes]:
    """The code of a function and of all that it calls, and the constants that they name."""
    found: set[bytes] = set()
    left = [function]
    while left:
        one = left.pop()
        code = marshal.dumps(one.__code__, _PLAIN)
        if code in found:
            continue
        found.add(code)
        for name in one.__code__.co_names:
            named = one.__globals__.get(name)
            if part := getattr(named, "py_func", getattr(named, "_defn", None)):
                left.append(part)
            elif not (callable(named) or isinstance(named, ModuleType)):
                found.add(name.encode() + pickle.dumps(named))
    return found
