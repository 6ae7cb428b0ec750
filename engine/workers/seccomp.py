"""Restricts a process's system calls, by libseccomp; the kernel answers every other with EPERM.

A list of what is allowed, not of what is forbidden: what a later kernel brings is refused, too.
"""

import ctypes
import errno
import os
from collections.abc import Sequence
from contextlib import suppress

LIBRARY = "libseccomp.so.2"  # Debian's libseccomp2, there wherever apt or systemd is
CALLS = (
    *("read", "write", "recvfrom", "sendto", "close", "fstat", "lseek", "poll", "ppoll"),  # of open files
    *("brk", "mremap", "munmap", "madvise"),
    *("futex", "sched_yield", "restart_syscall", "rt_sigaction", "rt_sigprocmask", "rt_sigreturn"),
    *("sigaltstack", "setitimer", "getitimer", "clock_gettime", "clock_getres", "gettimeofday", "time"),
    *("getpid", "gettid", "getppid", "getrandom", "getrusage", "times", "exit", "exit_group"),
)
MEMORY = ("mmap", "mprotect")  # only where nothing becomes a program
PROGRAM = (  # what a program needs besides to begin: it and its libraries are loaded
    *("execve", "mmap", "mprotect", "open", "openat", "pread64", "newfstatat", "fstatat64", "fcntl"),
    *("arch_prctl", "set_tid_address", "set_robust_list", "rseq", "sched_getaffinity", "sysinfo"),
)
PROT_EXEC = 4
_REFUSE = 0x0005_0000 | errno.EPERM  # SCMP_ACT_ERRNO
_ALLOW = 0x7FFF_0000
_EQUAL, _MASKED_EQUAL = 4, 7


class _Argument(ctypes.Structure):
    """struct scmp_arg_cmp: a condition on an argument of a system call."""

    _fields_ = (
        ("number", ctypes.c_uint),
        ("comparison", ctypes.c_int),
        ("first", ctypes.c_uint64),
        ("second", ctypes.c_uint64),
    )


class SyscallFilter:
    """The allowed system calls, by their numbers on this machine; made while files can be opened.

    Those of a reader, and `more`.
    """

    def __init__(self, more: Sequence[str] = ()) -> None:
        self._context: ctypes.c_void_p | None = None
        self._complete = True
        with suppress(OSError):
            self._library = ctypes.CDLL(LIBRARY)
            self._library.seccomp_init.restype = ctypes.c_void_p
            made = self._library.seccomp_init(ctypes.c_uint32(_REFUSE))
            self._context = ctypes.c_void_p(made) if made else None
        if self._context:
            self._allow_all(more)

    def load(self) -> bool:
        """Denies this process all other system calls for good; returns whether that worked."""
        return bool(self._context and self._complete and self._library.seccomp_load(self._context) == 0)

    def _allow_all(self, more: Sequence[str]) -> None:
        for name in (*CALLS, *more):
            self._allow(name)
        for name in MEMORY:
            if name not in more:
                self._allow(name, _Argument(2, _MASKED_EQUAL, PROT_EXEC, 0))
        self._allow("tgkill", _Argument(0, _EQUAL, os.getpid(), 0))  # abort() ends a process so

    def _allow(self, name: str, *arguments: _Argument) -> None:
        number = self._library.seccomp_syscall_resolve_name(name.encode())
        if number >= 0:  # not every machine has every call
            given = (_Argument * len(arguments))(*arguments)
            added = self._library.seccomp_rule_add_array(
                self._context, ctypes.c_uint32(_ALLOW), number, len(arguments), given
            )
            self._complete = self._complete and added == 0
