"""People who come by themselves: requests at moments drawn beforehand, however long those before take.

Time counts from the moment at which a request was to be made: what a server that stands still keeps from
being asked is waited for, too (Tene, "How NOT to Measure Latency": coordinated omission).
"""

import asyncio
import gzip
import random
import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple

MAX_SECONDS = 10.0  # for an answer; after that it is an error, as nobody waits longer
SEED = 0x4C59
_HEAD = "GET {} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n"


class TimedRequest(NamedTuple):
    """One request: seconds from when it was due, bytes of the answer and its head, what was wrong with it."""

    seconds: float
    size: int
    wrong: str = ""


def draw_arrivals(rate: float, seconds: float, rng: random.Random) -> Iterator[float]:
    """Moments in seconds from the start, `rate` a second on average, as of people who know nothing of each
    other (a Poisson process): in the mean every second one comes within 7 ms of another at 100 a second.
    """
    moment = rng.expovariate(rate)
    while moment < seconds:
        yield moment
        moment += rng.expovariate(rate)


async def send_requests(port: int, targets: Sequence[str], rate: float, seconds: float) -> list[TimedRequest]:
    """Ask for targets in a random order, each over a connection of its own."""
    rng = random.Random(SEED)
    began = time.perf_counter()
    async with asyncio.TaskGroup() as group:
        tasks = []
        for moment in draw_arrivals(rate, seconds, rng):
            await asyncio.sleep(max(0.0, began + moment - time.perf_counter()))
            tasks.append(group.create_task(_ask(port, rng.choice(targets), began + moment)))
    return [task.result() for task in tasks]


async def _ask(port: int, target: str, due_at: float) -> TimedRequest:
    """Nothing is raised: whatever fails is an answer that is wrong."""
    try:
        async with asyncio.timeout(MAX_SECONDS):
            answer = await _answer(port, target)
    except (OSError, TimeoutError) as error:
        return TimedRequest(time.perf_counter() - due_at, 0, type(error).__name__)
    return TimedRequest(time.perf_counter() - due_at, len(answer), find_fault(answer))


async def _answer(port: int, target: str) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(_HEAD.format(target).encode("ascii"))
        return await reader.read()
    finally:
        writer.close()


def find_fault(answer: bytes) -> str:
    """What is wrong with an answer, '' when nothing is: the status, or a body that did not come whole."""
    head, _, body = answer.partition(b"\r\n\r\n")
    if not head.startswith(b"HTTP/1.1 200 "):
        return head[:12].decode("ascii", "replace") or "nothing came"
    try:
        gzip.decompress(body) if b"content-encoding: gzip" in head.lower() else None
    except (OSError, EOFError):
        return "cut short"
    return ""
