"""Searches have threads of their own, and few: what runs beside them is heard in time."""

from collections.abc import Callable
from functools import partial
from typing import ParamSpec, TypeVar

from anyio import CapacityLimiter
from anyio.lowlevel import RunVar
from anyio.to_thread import run_sync
from starlette.exceptions import HTTPException

from engine.message import Message

# At once; the others wait in line. Python runs one thread at a time: more would end no search sooner. Three
# that take long still leave one thread for the rest.
SEARCHES = 4
# A thread that computes keeps the event loop from its turn for so long, at every step of every connection.
# With Python's 5 ms as many pages as can be computed in a second wait for seconds to be taken in and sent.
SWITCH_SECONDS = 0.0005
WAITING = 100  # in line, a second or less of work; who comes then would wait for longer than people do
RETRY_SECONDS = 1

BUSY = Message("Very many people are searching just now. Try again in a moment.")

P = ParamSpec("P")
T = TypeVar("T")

_FREE: RunVar[CapacityLimiter] = RunVar("search_ui.searching")


async def searching(ask: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """What this answers, in a thread, as soon as one of SEARCHES is free (requirement 290).

    HTTPException 503 where WAITING others do: a line that only grows would keep everybody from an answer.
    """
    limiter = _of_this_loop()
    if limiter.statistics().tasks_waiting >= WAITING:
        raise HTTPException(503, BUSY, {"Retry-After": str(RETRY_SECONDS)})
    return await run_sync(partial(ask, *args, **kwargs), limiter=limiter)


def _of_this_loop() -> CapacityLimiter:
    """Limits belong to the event loop that they were made in."""
    try:
        return _FREE.get()
    except LookupError:
        _FREE.set(CapacityLimiter(SEARCHES))
        return _FREE.get()
