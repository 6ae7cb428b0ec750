"""Limits the threads for one kind of work beside the searches, and who waits for one."""

from collections.abc import Callable
from typing import TypeVar

from anyio import CapacityLimiter, to_thread
from starlette.exceptions import HTTPException

from engine.model import Message

RETRY_SECONDS = 2
CROWDED = Message("Too many requests for this right now. Try again in a moment.")

T = TypeVar("T")


class ThreadLimiter:
    """Runs work in at most `at_once` threads, with at most `waiting` requests in line.

    A request body has to be read before: one that drips must hold no thread.
    """

    def __init__(self, at_once: int, waiting: int) -> None:
        self._limiter = CapacityLimiter(at_once)
        self._places = at_once + waiting  # free ones; the limiter counts a request only some turns later

    async def run(self, work: Callable[..., T], *args: object) -> T:
        """Runs work in a thread and returns what it gives. Raises HTTPException 503 if the line is full."""
        if not self._places:
            raise HTTPException(503, CROWDED, {"Retry-After": str(RETRY_SECONDS)})
        self._places -= 1
        try:
            return await to_thread.run_sync(work, *args, limiter=self._limiter)
        finally:
            self._places += 1
