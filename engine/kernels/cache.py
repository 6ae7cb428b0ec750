"""Caches compiled kernels on disk, each under all the code that it was compiled from."""

import marshal
import pickle
from collections.abc import Callable
from hashlib import sha256
from types import CodeType, ModuleType
from typing import Any

from numba.core import caching

_CACHE: Any = caching.FunctionCache
_PLAIN = 2  # of marshal: later versions tell apart what else the process holds of the same names


class KernelCache(_CACHE):  # type: ignore[misc]
    """A cache whose keys hold all code of a kernel; numba by itself looks at the function's file only."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._digest = sha256(b"".join(sorted(collect_code(function)))).hexdigest()

    def _index_key(self, signature: Any, codegen: Any) -> tuple[Any, ...]:
        """Returns a key without classes: a cache index that names a moved class cannot be read."""
        kinds = "\n".join(map(spell_type, (signature.return_type, *signature.args)))
        return (kinds, *super()._index_key(signature, codegen)[1:], self._digest)


def spell_type(kind: Any) -> str:
    """Spells a type; of a NamedTuple also its fields and where its class is, and that of the type itself."""
    if not hasattr(kind, "types"):
        return str(kind)
    made = getattr(kind, "instance_class", tuple)
    fields = getattr(kind, "fields", ())
    names = ":".join(f"{one.__module__}.{one.__qualname__}" for one in (type(kind), made))
    return f"{names}{fields}({', '.join(map(spell_type, kind.types))})"


def collect_code(function: Any) -> set[bytes]:
    """Collects the code of a function and of all that it calls, with the constants and fields they name."""
    found: set[bytes] = set()
    left = [function]
    while left:
        one = left.pop()
        code = marshal.dumps(_without_path(one.__code__), _PLAIN)
        if code in found:
            continue
        found.add(code)
        left += list_named(one)
        for name in one.__code__.co_names:
            named = one.__globals__.get(name)
            if isinstance(named, type) and issubclass(named, tuple):
                found.add(f"{name}{getattr(named, '_fields', ())}".encode())
            elif not (callable(named) or _source(named) or isinstance(named, ModuleType)):
                found.add(name.encode() + pickle.dumps(named))
    return found


def list_named(function: Any) -> list[Any]:
    """Lists the compiled and inlined functions that a function names."""
    named = map(function.__globals__.get, function.__code__.co_names)
    return [source for source in map(_source, named) if source]


def _source(named: Any) -> Any:
    """Returns the Python function of what numba made, None of anything else."""
    return getattr(named, "py_func", getattr(named, "_defn", None))


def _without_path(code: CodeType) -> CodeType:
    """Leaves out where the file is: what was compiled lies beside it, and moves along with it."""
    constants = (_without_path(one) if isinstance(one, CodeType) else one for one in code.co_consts)
    return code.replace(co_filename="", co_consts=tuple(constants))
