"""Confines a reader process: a page that takes it over can do no more than answer wrongly.

No file, no network, no other process, no program; the socket to the crawl alone is left. Three fences, each
of which holds where another is missing: resource limits, Landlock, seccomp.
`python -m engine.workers.probe` ends with an exit code that tells which of them hold on this machine.
"""

import ctypes
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Sequence

from engine.workers import landlock, seccomp

LANDLOCK, SECCOMP = "Landlock", "seccomp"
FENCES = (LANDLOCK, SECCOMP)
SET_DEATH_SIGNAL, NO_NEW_PRIVILEGES = 1, 38  # prctl(2)
MAX_MEMORY = 1024**3  # bytes of address space; libraries have 250 MB, the worst page that is read 550 MB
SITEMAP_SECONDS = 10.0  # for one sitemap: 50 MB take some two
STALLED = 30.0  # times as long by the clock: the process waits for something that does not come
TRIED = 64  # the exit code of one that tried them, to which each that holds adds its bit
STANDARD = 3  # files: the socket as standard input, and two that lead nowhere
ENVIRONMENT = (  # what a reader is told of ours: where Python and numba find what they need, no more
    *("HOME", "XDG_CACHE_HOME", "NUMBA_CACHE_DIR", "PYTHONHOME", "PYTHONPATH", "LD_LIBRARY_PATH"),
    *("PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX"),
)


def clean_environment() -> dict[str, str]:
    """Returns the environment of a confined process, without secrets."""
    told = {name: os.environ[name] for name in ENVIRONMENT if name in os.environ}
    return {**told, "OPENBLAS_NUM_THREADS": "1"}  # each thread of NumPy's would reserve 25 MB


def die_with_parent() -> None:
    """Makes the kernel end this process when its parent ends (PR_SET_PDEATHSIG)."""
    _prctl(SET_DEATH_SIGNAL, signal.SIGKILL)


def refuse_privileges() -> None:
    """Refuses this process rights that a program might bring (PR_SET_NO_NEW_PRIVS)."""
    _prctl(NO_NEW_PRIVILEGES, 1)


def confine(memory: int) -> Sequence[str]:
    """Confines this process for good; returns the confinements that work. `memory`: bytes it may take.

    What it needs of files has to be loaded before.
    """
    calls = seccomp.SyscallFilter()
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (1, 2):  # a terminal would obey what is written to it
        os.dup2(nowhere, standard)
    os.closerange(STANDARD, resource.getrlimit(resource.RLIMIT_NOFILE)[0])
    refuse_privileges()
    fenced = landlock.restrict()
    for limit, most in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_NOFILE, STANDARD),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_NPROC, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(limit, (most, most))
    return [name for name, holds in zip(FENCES, (fenced, calls.load()), strict=True) if holds]


def describe_fences(fences: Sequence[str]) -> str:
    """Describes the confinements that work."""
    if not fences:
        return "resource limits alone: this kernel has no Landlock, and seccomp or libseccomp2 is missing"
    missing = "".join(f"; {name} is missing" for name in FENCES if name not in fences)
    return f"{' and '.join(fences)}, and resource limits{missing}"


def probe_fences() -> Sequence[str]:
    """Tests in a process of its own which confinements work on this machine."""
    command = [sys.executable, "-m", "engine.workers.probe"]
    code = subprocess.run(command, env=clean_environment(), stdin=subprocess.DEVNULL, check=False).returncode  # noqa: S603
    return [name for bit, name in enumerate(FENCES) if code >= TRIED and code - TRIED & 1 << bit]


def _prctl(option: int, value: int) -> None:
    landlock.LIBC.prctl(option, *(ctypes.c_ulong(number) for number in (value, 0, 0, 0)))
