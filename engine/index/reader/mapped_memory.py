"""Bounds the memory of mapped segments, which would count every page that any search has read.

Nothing is lost by it: the system has these pages still, and gives one back in less than a microsecond.
"""

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Protocol

MAX_MAPPED = 256_000_000  # bytes of all mapped files in memory; libraries take 120 MB of them
_STATM = Path("/proc/self/statm")  # proc(5): in pages of memory; the third number is what is of files


class Mapped(Protocol):
    """A mapped file."""

    def drop_pages(self) -> None:
        """Gives the memory of what was read back to the kernel."""


def limit_mapped(files: Iterable[Mapped]) -> None:
    """Gives back the memory of these files where the process has more than MAX_MAPPED of files in memory."""
    if read_mapped() > MAX_MAPPED:
        for file in files:
            file.drop_pages()


def read_mapped() -> int:
    """Reads how many bytes of mapped files, libraries included, are in memory; 0 where no system tells."""
    with suppress(OSError, IndexError):
        return int(_STATM.read_text().split()[2]) * os.sysconf("SC_PAGE_SIZE")
    return 0
