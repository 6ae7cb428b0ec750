"""Many hosts on loopback, each with an address of its own: one server that writes each page when it is asked.

Every 127.x.y.z is answered. A host has PAGES pages of real prose, a tree with some links across, and no
robots.txt. Who asked which host when is kept in `asked`, in the order of arrival.
"""

import asyncio
import random
import re
import resource
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pydoc_data.topics import topics
from queue import SimpleQueue
from typing import NamedTuple

PAGES = 200  # of a host
LINKS = 20  # of a page
PARAGRAPHS = 12  # of a page: some 4 kB
ANSWER_SECONDS = 0.05  # from request to answer; a host of the web takes as long
BACKLOG = 4096  # connections waiting to be accepted
LOOPBACK = "127."
MAX_HOSTS = 250 * 250
SEED = 0x4C59

_HEAD = "HTTP/1.1 {} \r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\n\r\n"
_MISSING = _HEAD.format(404, 0).encode()


class PageRequest(NamedTuple):
    """One request for a page; times are `time.monotonic()`, `end` is when its answer was handed over."""

    address: str
    start: float
    end: float


class HostFarm:
    """The hosts, while they are served."""

    def __init__(self, hosts: int) -> None:
        self.addresses = tuple(f"{LOOPBACK}1.{n // 250}.{n % 250 + 1}" for n in range(hosts))
        self.asked: list[PageRequest] = []
        self.open: set[asyncio.Transport] = set()
        self.port = 0

    @property
    def seeds(self) -> list[str]:
        """The start page of each host."""
        return [f"http://{address}:{self.port}/" for address in self.addresses]

    async def serve(self, listener: socket.socket, started: Callable[[Callable[[], object]], None]) -> None:
        """Until the function that `started` is given is called, by any thread."""
        loop, end = asyncio.get_running_loop(), asyncio.Event()
        server = await loop.create_server(lambda: _Conversation(self), sock=listener)
        started(lambda: loop.call_soon_threadsafe(end.set))
        await end.wait()
        server.close()
        for transport in tuple(self.open):
            transport.abort()


@contextmanager
def serve_hosts(hosts: int) -> Iterator[HostFarm]:
    """Serve so many hosts, at most MAX_HOSTS, from a thread of this process."""
    _many_files()
    served, ends = HostFarm(hosts), SimpleQueue[Callable[[], object]]()
    listener = socket.create_server(("", 0), backlog=BACKLOG)
    served.port = listener.getsockname()[1]
    thread = threading.Thread(target=lambda: asyncio.run(served.serve(listener, ends.put)), daemon=True)
    thread.start()
    end = ends.get()
    try:
        yield served
    finally:
        end()
        thread.join()


def page(address: str, path: str) -> bytes:
    """What a host answers; each page has a text of its own."""
    number = _number(path)
    if number is None:
        return _MISSING
    chance = random.Random(f"{address}{path}")
    title = f"<title>Page {number} of {address}</title><h1>Page {number} of {address}</h1>"
    text = "".join(chance.choices(_paragraphs(), k=PARAGRAPHS))
    body = f'<!doctype html><html lang="en">{title}{text}{_links(number)}'.encode()
    return _HEAD.format(200, len(body)).encode() + body


class _Conversation(asyncio.Protocol):
    """One connection, for as long as the crawler keeps it."""

    def __init__(self, served: HostFarm) -> None:
        self._served = served
        self._heard = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._address = transport.get_extra_info("sockname")[0]
        self._served.open.add(transport)
        if not self._address.startswith(LOOPBACK):
            transport.abort()

    def connection_lost(self, error: Exception | None) -> None:
        self._served.open.discard(self._transport)

    def data_received(self, data: bytes) -> None:
        self._heard += data
        while b"\r\n\r\n" in self._heard:
            head, _, self._heard = self._heard.partition(b"\r\n\r\n")
            path = head.split(b" ", 2)[1].decode("ascii")
            asyncio.get_running_loop().call_later(ANSWER_SECONDS, self._answer, path, time.monotonic())

    def _answer(self, path: str, start: float) -> None:
        self._transport.write(page(self._address, path))
        if _number(path) is not None:
            self._served.asked.append(PageRequest(self._address, start, time.monotonic()))


def _number(path: str) -> int | None:
    """Which page this is, None for what is none."""
    found = re.fullmatch(r"/(\d*)", path)
    number = int(found[1] or 0) if found else PAGES
    return number if number < PAGES else None


@cache
def _links(number: int) -> str:
    """A tree that holds every page, and links across until there are LINKS."""
    tree = [child for child in (2 * number + 1, 2 * number + 2) if child < PAGES]
    across = random.Random(number).sample(range(1, PAGES), LINKS - len(tree))
    return "".join(f'<p><a href="/{to}">page {to}</a></p>' for to in (*tree, *across))


@cache
def _paragraphs() -> Sequence[str]:
    """Python's manual, which comes with Python."""
    whole = (" ".join(text.split()) for topic in topics.values() for text in topic.split("\n\n"))
    plain = str.maketrans({"<": " ", ">": " ", "&": " "})
    return [f"<p>{text.translate(plain)}</p>" for text in whole if 200 < len(text) < 600]


def _many_files() -> None:
    """A connection is an open file, for this process and those that it starts."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
