"""The zoo on loopback: an address for each host and one port for all, served by one thread.

Every 127.x.y.z answers, so a connection to an address that no host has is seen, too: `strays`.
"""

import asyncio
import socket
import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from queue import SimpleQueue

from tests.web.scripted import END_OF_CONVERSATION, Answer, read_head
from tests.zoo.behaviour import Behaviour, Exchange, page
from tests.zoo.honest import HONEST, ORIGINAL, honest_answer

BACKLOG = 4096  # connections waiting to be accepted
STRANGER = "127.99.99.99"
HEAD_BYTES = 1 << 20  # a request that is longer is a finding of its own
ROBOTS, SITEMAP = "/robots.txt", "/sitemap.xml"
PLACES = {ROBOTS: "robots", SITEMAP: "sitemap"}


class Zoo:
    """The hosts, while they are served; who was asked for what is kept."""

    def __init__(self, behaviours: Sequence[Behaviour], honest: Sequence[str]) -> None:
        self.hostile = {f"127.7.{n // 250}.{n % 250 + 1}": one for n, one in enumerate(behaviours)}
        self.honest = {f"127.8.{n // 250}.{n % 250 + 1}": name for n, name in enumerate(honest)}
        self.asked: dict[str, list[str]] = defaultdict(list)  # paths, by name of the host
        self.connections = Counter[str]()  # by name of the host
        self.strays: list[str] = []  # addresses of no host that were connected to
        self.port = 0

    @property
    def addresses(self) -> dict[str, str]:
        """Name of a host -> its address; the hostile ones come first."""
        hostile = {one.name: address for address, one in self.hostile.items()}
        return hostile | {name: address for address, name in self.honest.items()}

    def url(self, name: str, path: str = "/") -> str:
        """A URL of a host."""
        return f"http://{self.addresses[name]}:{self.port}{path}"

    async def converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one connection until either side ends it."""
        address = writer.get_extra_info("sockname")[0]
        writer.transport.set_write_buffer_limits(high=0)  # so that drain() means sent
        try:
            with suppress(*END_OF_CONVERSATION):
                if address in self.hostile:
                    await self._misbehave(self.hostile[address], reader, self._exchange(address, writer))
                elif address in self.honest:
                    await self._behave(self.honest[address], reader, self._exchange(address, writer))
                elif address.startswith("127."):
                    self.strays.append(address)
        finally:
            writer.close()

    async def _misbehave(self, one: Behaviour, reader: asyncio.StreamReader, exchange: Exchange) -> None:
        self.connections[one.name] += 1
        if one.at == "connection":
            await one.serve(exchange)
        while exchange.open and one.at != "connection":
            exchange.path = await self._path(one.name, reader)
            if one.at == PLACES.get(exchange.path.partition("?")[0], "page") or one.at == "all":
                await one.serve(exchange)
            else:
                missing = exchange.path in PLACES
                await exchange.answer(Answer(404) if missing else page(exchange))

    async def _behave(self, name: str, reader: asyncio.StreamReader, exchange: Exchange) -> None:
        while True:
            exchange.path = await self._path(name, reader)
            await exchange.answer(honest_answer(name, exchange.here, exchange.path))

    async def _path(self, name: str, reader: asyncio.StreamReader) -> str:
        path = read_head(await reader.readuntil(b"\r\n\r\n")).path
        self.asked[name].append(path)
        return path

    def _exchange(self, address: str, writer: asyncio.StreamWriter) -> Exchange:
        stranger = f"http://{STRANGER}:{self.port}"
        honest, original = (self.url(name, "") for name in (HONEST[0], ORIGINAL))
        return Exchange("", f"http://{address}:{self.port}", stranger, honest, original, writer)

    async def serve(self, listener: socket.socket, started: Callable[[Callable[[], object]], None]) -> None:
        """Until the function that `started` is given is called, by any thread."""
        loop, end = asyncio.get_running_loop(), asyncio.Event()
        server = await asyncio.start_server(self.converse, sock=listener, backlog=BACKLOG, limit=HEAD_BYTES)
        started(lambda: loop.call_soon_threadsafe(end.set))
        await end.wait()
        server.close()


@contextmanager
def opened_zoo(behaviours: Sequence[Behaviour], honest: Sequence[str] = HONEST) -> Iterator[Zoo]:
    """The zoo, served."""
    zoo, ends = Zoo(behaviours, honest), SimpleQueue[Callable[[], object]]()
    listener = socket.create_server(("", 0), backlog=BACKLOG)
    zoo.port = listener.getsockname()[1]
    thread = threading.Thread(target=lambda: asyncio.run(zoo.serve(listener, ends.put)), daemon=True)
    thread.start()
    end = ends.get()
    try:
        yield zoo
    finally:
        end()
        thread.join()
