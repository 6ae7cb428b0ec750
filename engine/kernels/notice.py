"""Tells on standard error that kernels are being compiled: a command would seem to hang."""

import sys
from typing import Any

from numba.core import event

_LISTENER: Any = event.Listener


class CompileNotice(_LISTENER):  # type: ignore[misc]
    """Writes one line, once in a process."""

    written = False

    def on_start(self, _: object) -> None:
        """Writes the line before numba compiles a function, not when it was cached."""
        if not self.written:
            self.written = True
            sys.stderr.write("compiling the loops of index and search: a minute or two, once\n")

    def on_end(self, _: object) -> None:
        """Does nothing once it is compiled."""


NOTICE = CompileNotice()
