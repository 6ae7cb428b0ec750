"""Work in a process of its own that is killed: at a place in the code, or from outside."""

import os
import signal
import warnings
from collections.abc import Callable


def forked(work: Callable[[], object]) -> int:
    """The number of a process that does this work; a fork, as a new one would import for a second first."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # threads of the test runner, which wait for it
        child = os.fork()
    if child:
        return child
    try:
        work()
    finally:
        os._exit(1)


def kill(child: int) -> None:
    """kill -9."""
    os.kill(child, signal.SIGKILL)
    assert _end(child) == signal.SIGKILL, "it ended before it could be killed"


def dies(work: Callable[[Callable[..., None]], object]) -> None:
    """Do work until it calls the function that it is given."""
    child = forked(lambda: work(lambda *_: os.kill(os.getpid(), signal.SIGKILL)))
    assert _end(child) == signal.SIGKILL, "it came to its end"


def _end(child: int) -> int:
    """The signal that ended it, 0 when it was none."""
    _, status = os.waitpid(child, 0)
    return os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
