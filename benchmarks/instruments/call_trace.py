"""Writes which functions of a project are called first, and in which order: one line each, to standard error.

It is put before a process as its `sitecustomize`, so it imports nothing of the project, and works on any
commit of it. Calls during an import are left out: they define, they do not act. Readers run with an empty
environment; so the interpreter that a traced process starts others with is a script that sets it anew.
"""

import os
import signal
import sys
import threading
from types import FrameType

MARK = "call-trace"
ROOT, FROM, SHIM = "CALL_TRACE_ROOT", "CALL_TRACE_FROM", "CALL_TRACE_SHIM"
ROOMS = ("engine/", "spiders/", "pipelines/", "search_ui/")


_seen: set[object] = set()
_dup2 = os.dup2
_root, _process = os.environ.get(ROOT, "") + os.sep, os.getpid()  # a confined reader may ask for neither


def _watch(frame: FrameType, event: str, _: object) -> None:
    code = frame.f_code
    if event != "call" or code in _seen or code.co_name == "<module>":
        return
    path = code.co_filename.removeprefix(_root)
    if not path.startswith(ROOMS):
        _seen.add(code)
    elif not _is_importing(frame):
        _seen.add(code)
        os.write(2, f"{MARK} {_process} {path} {code.co_qualname}\n".encode())


def _is_importing(frame: FrameType | None) -> bool:
    while frame := frame and frame.f_back:
        if frame.f_code.co_name == "<module>" and frame.f_globals["__name__"] != "__main__":
            return True
    return False


def _keep_standard_error(fd: int, fd2: int, inheritable: bool = True) -> int:
    """Stands in for os.dup2: a confined reader gives up its standard error, which the trace goes to."""
    return fd2 if fd2 == 2 else _dup2(fd, fd2, inheritable)


def _begin(*_: object) -> None:
    threading.setprofile(_watch)
    sys.setprofile(_watch)


if ROOT in os.environ:
    sys.executable = os.environ[SHIM]
    os.dup2 = _keep_standard_error
    if os.environ.get(FROM) == "signal":
        signal.signal(signal.SIGUSR1, _begin)
    else:
        _begin()
