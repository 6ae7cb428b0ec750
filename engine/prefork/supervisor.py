"""Keeps a number of workers running: restarts those that die, renews them one by one, ends them gracefully.

The supervisor has one thread, which waits for signals and messages, so it may fork at any time. It holds no
lock that a worker waits for.
"""

import logging
import selectors
import signal
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any

from engine.errors import EngineError
from engine.prefork.back_off import BackOff
from engine.prefork.messages import DRAIN, READY, Channel, Notice
from engine.prefork.worker_process import EXIT_MISUSE, HANDLED, Closable, WorkerProcess, fork_worker

STOP_SECONDS = 15.0  # for a worker that was told to end; it gives its clients 10

logger = logging.getLogger("lycosa")

Handler = Callable[[int, FrameType | None], Any] | int | None


class Supervisor:
    """Supervises `count` workers, forks that do `work` with their number and a channel.

    Numbers are below `count` + 1, as a new worker begins before the old one ends; `forget` is told the number
    of one that has ended. `hear` gets messages of workers, and tells whether all are to hear them, too.
    `reload` is called before a renewal and may raise EngineError, which leaves everything as it is. The
    `listeners` are what workers accept connections from; they are closed here when all are to end.
    """

    def __init__(
        self,
        count: int,
        work: Callable[[int, Channel], object],
        hear: Callable[[Notice], bool],
        forget: Callable[[int], None],
        reload: Callable[[], None],
        listeners: Sequence[socket.socket],
    ) -> None:
        self._count = count
        self._work = work
        self._hear = hear
        self._forget = forget
        self._reload = reload
        self._listeners = listeners
        self._workers: dict[int, WorkerProcess] = {}  # by process
        self._selector = selectors.DefaultSelector()
        self._restarts: list[float] = []  # when to start one more, seconds of the clock
        self._back_off = BackOff()
        self._to_renew: list[WorkerProcess] = []
        self._newcomer: WorkerProcess | None = None  # that is to take the place of the first of these
        self._was_ready = False
        self._is_stopping = False
        self._exit_code = 0

    def run(self) -> int:
        """Runs until told to stop by SIGTERM or SIGINT; returns the exit code."""
        with self._signals() as signals:
            for _ in range(self._count):
                self._start()
            while self._workers or not self._is_stopping:
                for key, _ in self._selector.select(self._seconds_to_wait()):
                    if key.data is None:
                        for number in signals.recv(1_024):
                            self._obey(number)
                    else:
                        self._receive(key.data)
                self._reap()
                self._do_what_is_due(time.monotonic())
        self._selector.close()
        return self._exit_code

    @contextmanager
    def _signals(self) -> Iterator[socket.socket]:
        """Has signals written to a socket, which can be waited for."""
        ours, theirs = socket.socketpair()
        for end in (ours, theirs):
            end.setblocking(False)
        before: dict[int, Handler] = {number: signal.signal(number, _nothing) for number in HANDLED}
        wakeup = signal.set_wakeup_fd(theirs.fileno())
        self._selector.register(ours, selectors.EVENT_READ)
        try:
            yield ours
        finally:
            signal.set_wakeup_fd(wakeup)
            for number, handler in before.items():
                signal.signal(number, handler)
            ours.close()
            theirs.close()

    def _obey(self, number: int) -> None:
        if number == signal.SIGHUP and not self._is_stopping:
            self._renew()
        elif number in (signal.SIGINT, signal.SIGTERM):
            self._stop(0)

    def _stop(self, code: int) -> None:
        """Tells all workers to end; kills them when told a second time."""
        for worker in self._workers.values():
            worker.signal(signal.SIGKILL if self._is_stopping else signal.SIGTERM)
            worker.kill_at = time.monotonic() + STOP_SECONDS
        for listener in self._listeners:
            listener.close()
        self._is_stopping, self._exit_code = True, code
        self._restarts.clear()

    def _start(self) -> WorkerProcess:
        taken = {worker.number for worker in self._workers.values()}
        number = next(number for number in range(self._count + 1) if number not in taken)
        inherited: list[Closable] = [self._selector, *(worker.channel for worker in self._workers.values())]
        worker = fork_worker(number, time.monotonic(), self._work, inherited)
        self._workers[worker.pid] = worker
        self._selector.register(worker.channel, selectors.EVENT_READ, worker)
        return worker

    def _receive(self, worker: WorkerProcess) -> None:
        message = worker.channel.receive()
        if message is None:
            self._selector.unregister(worker.channel)
        elif message.kind == READY:
            self._was_ready = True
            if worker is self._newcomer:
                self._replace()
        elif self._hear(message):
            for other in self._workers.values():
                other.channel.send(message)

    def _reap(self) -> None:
        for worker in list(self._workers.values()):
            code = worker.poll()
            if code is not None:
                del self._workers[worker.pid]
                if worker.channel in self._selector.get_map():
                    self._selector.unregister(worker.channel)
                worker.channel.close()
                self._forget(worker.number)
                self._bury(worker, code)

    def _bury(self, worker: WorkerProcess, code: int) -> None:
        """Decides what follows from a worker's death."""
        if self._is_stopping:
            return
        if worker.is_leaving:
            self._renew_next()
            return
        if code == EXIT_MISUSE and not self._was_ready:
            self._stop(EXIT_MISUSE)
            return
        if worker is self._newcomer:
            self._newcomer, self._to_renew = None, []
            logger.error("a new worker %s before it served: the others go on as they are", _told(code))
        if self._surplus() < 0:
            self._restart_later(worker, code)

    def _surplus(self) -> int:
        """Counts by how many workers there are more than wanted, or will be."""
        staying = [worker for worker in self._workers.values() if not worker.is_leaving]
        return len(staying) + len(self._restarts) - self._count

    def _restart_later(self, worker: WorkerProcess, code: int) -> None:
        now = time.monotonic()
        delay = self._back_off.count_death(now - worker.started)
        self._restarts.append(now + delay)
        logger.error("worker %d %s; another starts in %.1f s", worker.pid, _told(code), delay)

    def _renew(self) -> None:
        """Begins to replace all workers, each once its successor serves."""
        try:
            self._reload()
        except EngineError as error:
            logger.error("%s; the workers go on as they are", error)
            return
        logger.info("renewing the workers, one by one")
        self._to_renew = [worker for worker in self._workers.values() if not worker.is_leaving]
        if self._newcomer is None and not any(worker.is_leaving for worker in self._workers.values()):
            self._renew_next()

    def _renew_next(self) -> None:
        self._to_renew = [worker for worker in self._to_renew if worker.pid in self._workers]
        if self._to_renew:
            self._newcomer = self._newcomer or self._start()
        else:
            logger.info("the workers are renewed")

    def _replace(self) -> None:
        """Lets the worker end whose successor serves now; it may have died meanwhile."""
        self._newcomer = None
        staying = [worker for worker in self._to_renew if worker.pid in self._workers]
        if staying and self._surplus() > 0:
            staying[0].channel.send(Notice(DRAIN))
            staying[0].kill_at = time.monotonic() + STOP_SECONDS
            self._to_renew = staying[1:]
        else:
            self._renew_next()

    def _seconds_to_wait(self) -> float | None:
        times = [*self._restarts, *(worker.kill_at for worker in self._workers.values() if worker.is_leaving)]
        return max(0.0, min(times) - time.monotonic()) if times else None

    def _do_what_is_due(self, now: float) -> None:
        for worker in self._workers.values():
            if worker.kill_at <= now:
                worker.signal(signal.SIGKILL)
        due = [at for at in self._restarts if at <= now]
        self._restarts = [at for at in self._restarts if at > now]
        for _ in due:
            self._start()


def _nothing(number: int, frame: FrameType | None) -> None:
    """Handles a signal by nothing but the socket that tells of it."""


def _told(code: int) -> str:
    """Tells how a process ended."""
    if code >= 0:
        return f"ended with exit code {code}"
    return f"was killed by {signal.Signals(-code).name}"
