"""Confines a process by Landlock (landlock(7)): no network, no file but those that are named.

So nothing else may be opened, made, renamed or run, no TCP port be bound or connected to, no abstract
socket and no process outside be reached. What is open already stays open.
"""

import ctypes
import os
from collections.abc import Mapping
from contextlib import suppress

LIBC = ctypes.CDLL(None, use_errno=True)
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # numbers of system calls, the same on every machine
ASK_VERSION = 1  # instead of a ruleset: which ABI the kernel has
FILES = {1: 13, 2: 14, 3: 15, 5: 16}  # since this ABI so many kinds of access to files can be handled
NET_SINCE, TCP = 4, 0b11  # bind, connect
PATH_BENEATH = 1  # the kind of a rule: for a file, or all in a folder
EXECUTE, READ = 1 << 0, 1 << 2
SCOPES_SINCE, SCOPES = 6, 0b11  # abstract Unix sockets, signals


class _Ruleset(ctypes.Structure):
    """struct landlock_ruleset_attr; an older kernel takes its zeros."""

    _fields_ = (("files", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scopes", ctypes.c_uint64))


class _PathBeneath(ctypes.Structure):
    """struct landlock_path_beneath_attr, which is packed."""

    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


def abi() -> int:
    """Returns the kernel's Landlock ABI version, 0 where it has none or has it switched off."""
    return max(_call(CREATE_RULESET, None, 0, ASK_VERSION), 0)


def restrict(allowed: Mapping[str, int] = {}) -> bool:
    """Restricts this thread and its children; returns whether that worked. Needs PR_SET_NO_NEW_PRIVS.

    `allowed`: what may still be done with which files, or all in which folders; those that are missing do not
    matter.
    """
    version = abi()
    if not version:
        return False
    ruleset = _Ruleset(
        files=(1 << max(bits for since, bits in FILES.items() if since <= version)) - 1,
        net=TCP if version >= NET_SINCE else 0,
        scopes=SCOPES if version >= SCOPES_SINCE else 0,
    )
    number = _call(CREATE_RULESET, ctypes.byref(ruleset), ctypes.sizeof(ruleset), 0)
    if number < 0:
        return False
    try:
        for path, access in allowed.items():
            with suppress(FileNotFoundError):
                _allow(number, path, access)
        return _call(RESTRICT_SELF, number, 0, 0) == 0
    finally:
        os.close(number)


def _allow(ruleset: int, path: str, access: int) -> None:
    """Adds a rule for a file or a folder. Raises FileNotFoundError for none."""
    parent = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        rule = _PathBeneath(access, parent)
        LIBC.syscall(
            ctypes.c_long(ADD_RULE),
            ctypes.c_long(ruleset),
            ctypes.c_long(PATH_BENEATH),
            ctypes.byref(rule),
            0,
        )
    finally:
        os.close(parent)


def _call(number: int, first: object, second: int, third: int) -> int:
    result: int = LIBC.syscall(ctypes.c_long(number), first, ctypes.c_size_t(second), ctypes.c_size_t(third))
    return result
