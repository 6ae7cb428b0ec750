"""Runs searches in a few threads of their own, so that all else is answered in time."""

from asyncio import get_running_loop
from collections.abc import Callable
from functools import partial
from typing import ParamSpec, TypeVar

from anyio import CapacityLimiter
from anyio.lowlevel import RunVar
from anyio.to_thread import run_sync
from starlette.exceptions import HTTPException

from engine.model import Message

# At once, where they take long; the others wait in line. Three that do still leave one thread for the rest.
MAX_SEARCHES = 4
# Python runs one thread at a time: where several compute, none ends sooner, and each costs a sixth more, for
# they take the processor's caches from each other. So one begins beside another only if that takes longer.
PATIENCE_SECONDS = 0.05
# A thread that computes keeps the event loop from its turn for so long, at every step of every connection.
# With Python's 5 ms as many pages as can be computed in a second wait for seconds to be taken in and sent.
SWITCH_SECONDS = 0.0005
# In line, four seconds of work or less; who comes then would wait for longer than people do.
MAX_WAITING = 400
RETRY_SECONDS = 1

BUSY = Message("Too many searches are running right now. Try again in a moment.")

P = ParamSpec("P")
T = TypeVar("T")

_LINE: RunVar[CapacityLimiter] = RunVar("search_ui.search_threads")


async def run_search(ask: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Runs a search in a thread, once those before it are done or take long (requirement 290).

    HTTPException 503 where WAITING others do: a line that only grows would keep everybody from an answer.
    """
    line = _of_this_loop()
    if line.statistics().tasks_waiting >= MAX_WAITING:
        raise HTTPException(503, BUSY, {"Retry-After": str(RETRY_SECONDS)})
    async with line:
        beside = _Beside(line)
        beside.wait()
        try:
            return await run_sync(partial(ask, *args, **kwargs))
        finally:
            beside.end()


class _Beside:
    """Lets another search run beside one that takes long, for as long as that does."""

    def __init__(self, line: CapacityLimiter) -> None:
        self._line, self._room = line, 0

    def wait(self) -> None:
        """Waits until the search has taken long."""
        self._patience = get_running_loop().call_later(PATIENCE_SECONDS, self.begin)

    def begin(self) -> None:
        """Lets another search begin; while there are too many, waits until some of them are over."""
        self._room = int(self._line.total_tokens < MAX_SEARCHES)
        self._line.total_tokens += self._room
        if not self._room:
            self.wait()

    def end(self) -> None:
        """Takes the room back, as the search is over."""
        self._patience.cancel()
        self._line.total_tokens -= self._room


def _of_this_loop() -> CapacityLimiter:
    """Returns the limiter of this event loop, to which each belongs."""
    try:
        return _LINE.get()
    except LookupError:
        _LINE.set(CapacityLimiter(1))
        return _LINE.get()
