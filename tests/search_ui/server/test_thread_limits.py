"""At most so many requests are in line, however they come."""

import threading
from collections import Counter

import anyio
from starlette.exceptions import HTTPException

from search_ui.server.thread_limits import ThreadLimiter
from tests.search_ui.conftest import START_SECONDS


def test_a_burst_is_counted() -> None:
    """Requests that arrive in one turn of the event loop, before the first of them waits for its thread."""
    go_on, ends = threading.Event(), Counter[str]()
    limiter = ThreadLimiter(at_once=1, waiting=2)

    async def one() -> None:
        try:
            ends[str(await limiter.run(go_on.wait, START_SECONDS))] += 1
        except HTTPException as refused:
            ends[f"{refused.status_code} {refused.headers}"] += 1

    async def burst() -> None:
        async with anyio.create_task_group() as group:
            for _ in range(10):
                group.start_soon(one)
            await anyio.wait_all_tasks_blocked()
            go_on.set()

    anyio.run(burst)
    anyio.run(burst)  # a place is given back
    assert ends == {"True": 6, "503 {'Retry-After': '2'}": 14}
