"""One worker: a fork of the supervisor, with its number and its channel."""

import os
import signal
import sys
import traceback
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import inf
from typing import Protocol

from engine.errors import EngineError
from engine.prefork.messages import Channel

EXIT_MISUSE = 2  # nothing but the operator can mend it
HANDLED = (signal.SIGCHLD, signal.SIGHUP, signal.SIGINT, signal.SIGTERM)  # by the supervisor
# A terminal sends these to all processes of a command; the supervisor decides what follows.
_LEFT_TO_SUPERVISOR = (signal.SIGHUP, signal.SIGINT)


class Closable(Protocol):
    """What the supervisor has open, and a worker closes."""

    def close(self) -> None:
        """Closes it in this process."""


@dataclass(eq=False, slots=True)
class WorkerProcess:
    """A worker as its supervisor sees it; `number` is the least that no other has."""

    pid: int
    number: int
    channel: Channel
    started: float  # seconds of the clock
    kill_at: float = inf  # when it should have ended by itself; finite: it was told to

    @property
    def is_leaving(self) -> bool:
        """Tells whether it was told to end."""
        return self.kill_at < inf

    def signal(self, number: int) -> None:
        """Sends it a signal; its death is noticed elsewhere."""
        os.kill(self.pid, number)

    def poll(self) -> int | None:
        """Returns its exit code, or minus the signal that killed it; None while it runs."""
        pid, status = os.waitpid(self.pid, os.WNOHANG)
        return os.waitstatus_to_exitcode(status) if pid else None


def fork_worker(
    number: int, started: float, work: Callable[[int, Channel], object], inherited: Iterable[Closable]
) -> WorkerProcess:
    """Forks a worker, which closes what it inherited of others, works, and exits."""
    ours, theirs = Channel.pair()
    sys.stdout.flush()
    sys.stderr.flush()
    # A signal that comes before the fork has its own handlers would be heard by a copy of the supervisor's.
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, HANDLED)
    pid = os.fork()
    if not pid:
        _be_worker(lambda: work(number, theirs), [*inherited, ours], blocked)
    signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
    theirs.close()
    return WorkerProcess(pid, number, ours, started)


def _be_worker(
    work: Callable[[], object], inherited: Sequence[Closable], blocked: set[int | signal.Signals]
) -> None:
    """Works and exits: with 0, 1 after a failure, EXIT_MISUSE after an error for the operator."""
    code = 1
    try:
        signal.set_wakeup_fd(-1)
        for number in HANDLED:
            signal.signal(number, signal.SIG_IGN if number in _LEFT_TO_SUPERVISOR else signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
        for one in inherited:
            one.close()
        work()
        code = 0
    except EngineError as error:
        code = EXIT_MISUSE
        sys.stderr.write(f"{error}\n")
    except BaseException:  # whatever it is, this process must not go on as a second supervisor
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
