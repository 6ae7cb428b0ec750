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
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import update_wrapper
from hashlib import sha256
from types import ModuleType
from typing import Any, ParamSpec, TypeVar

import numba
import numba.extending
from numba.core import caching, event, typeconv

_CACHE: Any = caching.FunctionCache
_NAMED_TUPLE: Any = numba.types.NamedTuple
_CONVERSION: Any = typeconv
_SAFE = _CONVERSION.Conversion.safe
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


def record(kind: type, /, **fields: Any) -> Any:
    """The type of a NamedTuple, of which each field has this type."""
    return _Record(tuple(fields[name] for name in kind.__annotations__), kind)


def compiled(*signatures: Any) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Compile for these signatures, RESULT(ARGUMENT, ...); for what else it is called with: TypeError."""

    def of(function: Callable[P, T]) -> Callable[P, T]:
        made: Any = numba.njit(boundscheck=True, nogil=True)(function)
        with suppress(RuntimeError):  # numba finds no folder that it may write to
            made._cache = _Kept(function)
        for signature in signatures:
            made.compile(signature)
        made.disable_compile()
        kinds = signatures[0].args
        records = [at for at, kind in enumerate(kinds) if isinstance(kind, _Record)]
        loop: Callable[P, T] = _unnamed(made, len(kinds), records) if records else made
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


class _Record(_NAMED_TUPLE):  # type: ignore[misc]
    """The type of a NamedTuple that comes from Python as a tuple without names."""

    def can_convert_from(self, context: Any, other: Any) -> Any:
        """Converts a tuple as numba converts it to another tuple: field by field."""
        is_plain = isinstance(other, numba.types.BaseAnonymousTuple)
        if not is_plain or len(other.types) != len(self.types):
            return None
        found = [context.can_convert(one, field) for one, field in zip(other.types, self.types, strict=True)]
        return None if None in found else max(*found, _SAFE)


_MODEL: Any = numba.extending.register_model
_MODEL(_Record)(numba.core.datamodel.models.TupleModel)


def _unnamed(loop: Any, count: int, records: Sequence[int]) -> Any:
    """Takes the names off some of `count` arguments: numba would spell all of them at each call, for a
    microsecond or two.
    """
    names = [f"argument_{at}" for at in range(count)]
    plain = ", ".join(f"{name}[:]" if at in records else name for at, name in enumerate(names))
    call = eval(f"lambda {', '.join(names)}: loop({plain})", {"loop": loop})  # noqa: S307 - as namedtuple
    return update_wrapper(call, loop.py_func)


class _Kept(_CACHE):  # type: ignore[misc]
    """What was compiled, under all that it was made of; numba by itself looks at the function's file only."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._made_of = sha256(b"".join(sorted(_made_of(function)))).hexdigest()

    def _index_key(self, signature: Any, codegen: Any) -> tuple[Any, ...]:
        """No class is in it: one that moves would leave an index that cannot be read any more."""
        kinds = "\n".join(map(_spell_type, (signature.return_type, *signature.args)))
        return (kinds, *super()._index_key(signature, codegen)[1:], self._made_of)


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


def _spell_type(kind: Any) -> str:
    """A type, and where it is a NamedTuple, what its fields are and where its class is."""
    if not hasattr(kind, "types"):
        return str(kind)
    made = getattr(kind, "instance_class", tuple)
    fields = getattr(kind, "fields", ())
    return f"{made.__module__}.{made.__qualname__}{fields}({', '.join(map(_spell_type, kind.types))})"


def _made_of(function: Any) -> set[bytes]:
    """The code of a function and of all that it calls, and the constants and fields that they name."""
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
            elif isinstance(named, type) and issubclass(named, tuple):
                found.add(f"{name}{getattr(named, '_fields', ())}".encode())
            elif not (callable(named) or isinstance(named, ModuleType)):
                found.add(name.encode() + pickle.dumps(named))
    return found
