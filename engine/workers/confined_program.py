"""`python -m engine.workers.confined_program PROGRAM DATA ARGUMENT...`: runs a program on a picture.

What takes it over can read the program, its data and the system's libraries, and write a little to what it
was given as standard output: no other file, no network, no other process. Landlock guards the files here,
seccomp all else, so neither may be missing.
"""

import os
import resource
import sys

from engine.workers import landlock, seccomp
from engine.workers.sandbox import die_with_parent, refuse_privileges

NICENESS = 19  # last: it has no hurry
MAX_MEMORY = 1_000_000_000  # bytes of address space; Tesseract takes 400 MB for a page of 10 megapixels
MAX_SECONDS = 30  # of processor time for a picture; a page full of small print takes three
MAX_OUTPUT = 1_000_000  # bytes; a page full of small print has 15,000
MAX_FILES = 16  # open at once: libraries and data are opened one by one
NO_FENCES = 77  # the exit code where Landlock or seccomp is missing
LIBRARIES = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib")
LIBRARY_CACHE = "/etc/ld.so.cache"


def confine_program(program: str, data: str) -> bool:
    """Confines this process, and the program that is to take its place; returns whether all fences hold."""
    calls = seccomp.SyscallFilter(seccomp.PROGRAM)
    refuse_privileges()
    readable = {data: landlock.READ, LIBRARY_CACHE: landlock.READ}
    runnable = dict.fromkeys((*LIBRARIES, program), landlock.READ | landlock.EXECUTE)
    fenced = landlock.restrict({**readable, **runnable})
    for limit, most in (
        (resource.RLIMIT_AS, MAX_MEMORY),
        (resource.RLIMIT_CPU, MAX_SECONDS),
        (resource.RLIMIT_FSIZE, MAX_OUTPUT),
        (resource.RLIMIT_NOFILE, MAX_FILES),
        (resource.RLIMIT_NPROC, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(limit, (most, most))
    return calls.load() and fenced


def main() -> None:
    """Runs the program in this process's place."""
    die_with_parent()
    os.nice(NICENESS)
    program, data, *arguments = sys.argv[1:]
    if not confine_program(program, data):
        sys.exit(NO_FENCES)
    os.execv(program, [program, *arguments])  # noqa: S606 - the operator's, and no shell


if __name__ == "__main__":
    main()
