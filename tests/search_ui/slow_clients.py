"""Clients that keep connections and do little with them, and one beside them that asks as people do."""

import asyncio
import resource
import socket
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from statistics import quantiles

HEAD = b"Host: localhost\r\n"
FORM = b"Content-Type: application/x-www-form-urlencoded\r\n"
LARGE = b"GET /api/openapi.json HTTP/1.1\r\n" + HEAD + b"\r\n"
PIPELINED = 4  # requests of a slow reader at once
WINDOW = 2_048  # octets that a slow reader's system takes before it reads
ANSWER_SECONDS = 60.0  # for whoever asks as people do

Doing = Callable[[asyncio.StreamReader, asyncio.StreamWriter, float], Awaitable[None]]


async def _say_nothing(reader: asyncio.StreamReader, _: asyncio.StreamWriter, __: float) -> None:
    await reader.read()


async def _say_half(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, _: float) -> None:
    writer.write(b"GET /search?q=a HTTP/1.1\r\n" + HEAD)
    await reader.read()


async def _drip(writer: asyncio.StreamWriter, start: bytes, piece: bytes, pause: float) -> None:
    writer.write(start)
    while not writer.is_closing():
        await asyncio.sleep(pause)
        writer.write(piece)
        await writer.drain()


async def _drip_a_head(_: asyncio.StreamReader, writer: asyncio.StreamWriter, pause: float) -> None:
    await _drip(writer, b"GET / HTTP/1.1\r\n" + HEAD, b"A: b\r\n", pause)


async def _drip_a_form(_: asyncio.StreamReader, writer: asyncio.StreamWriter, pause: float) -> None:
    start = b"POST /robot/check HTTP/1.1\r\n" + HEAD + FORM + b"Content-Length: 60000\r\n\r\n"
    await _drip(writer, start, b"a", pause)


async def _drip_chunks(_: asyncio.StreamReader, writer: asyncio.StreamWriter, pause: float) -> None:
    start = b"POST /submit HTTP/1.1\r\n" + HEAD + FORM + b"Transfer-Encoding: chunked\r\n\r\n"
    await _drip(writer, start, b"1\r\na\r\n", pause)


async def _drip_what_nobody_reads(
    _: asyncio.StreamReader, writer: asyncio.StreamWriter, pause: float
) -> None:
    start = b"GET /health HTTP/1.1\r\n" + HEAD + b"Content-Length: 60000\r\n\r\n"
    await _drip(writer, start, b"a", pause)


async def _read_slowly(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, pause: float) -> None:
    writer.write(PIPELINED * LARGE)
    while await reader.read(1):
        await asyncio.sleep(pause)


KINDS: Mapping[str, Doing] = {
    "says nothing": _say_nothing,
    "half a head": _say_half,
    "a dripping head": _drip_a_head,
    "a dripping form": _drip_a_form,
    "dripping chunks": _drip_chunks,
    "a dripping body that nobody reads": _drip_what_nobody_reads,
    "a slow reader": _read_slowly,
}


@dataclass(slots=True)
class Crowd:
    """So many connections from these addresses, each begun anew as soon as it is closed, pause by pause."""

    port: int
    sources: Sequence[str]
    number: int
    pause: float = 1.0  # seconds between octets, and before a connection is begun anew
    begun: Counter[str] = field(default_factory=Counter)
    open: int = 0

    async def stay(self) -> None:
        """Until cancelled."""
        kinds = list(KINDS)
        each = [
            self._again(kinds[n % len(kinds)], self.sources[n % len(self.sources)])
            for n in range(self.number)
        ]
        await asyncio.gather(*each)

    async def _again(self, kind: str, source: str) -> None:
        while True:
            with suppress(OSError, asyncio.IncompleteReadError):
                await self._once(kind, source)
            await asyncio.sleep(self.pause)

    async def _once(self, kind: str, source: str) -> None:
        connection = socket.socket()
        connection.setblocking(False)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, WINDOW)
        connection.setsockopt(socket.IPPROTO_IP, socket.IP_BIND_ADDRESS_NO_PORT, 1)
        connection.bind((source, 0))
        try:
            await asyncio.get_running_loop().sock_connect(connection, ("127.0.0.1", self.port))
        except BaseException:
            connection.close()
            raise
        reader, writer = await asyncio.open_connection(sock=connection, limit=WINDOW)
        self.begun[kind] += 1
        self.open += 1
        try:
            await KINDS[kind](reader, writer, self.pause)
        finally:
            self.open -= 1
            writer.transport.abort()


@dataclass(slots=True)
class Visitor:
    """Asks the same again and again, over a new connection each time; what came back, and after how long."""

    port: int
    target: str
    source: str = "127.0.0.1"
    seconds: list[float] = field(default_factory=list)
    statuses: Counter[str] = field(default_factory=Counter)

    @property
    def p99(self) -> float:
        return quantiles(self.seconds, n=100, method="inclusive")[98]

    async def ask(self, until: float, pause: float) -> None:
        """Once every `pause` seconds, however long an answer takes."""
        asked: list[asyncio.Task[None]] = []
        while time.monotonic() < until:
            asked.append(asyncio.create_task(self._once()))
            await asyncio.sleep(pause)
        await asyncio.gather(*asked)

    async def _once(self) -> None:
        started = time.monotonic()
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                status = await self._status()
        except (OSError, TimeoutError) as error:
            status = type(error).__name__
        self.seconds.append(time.monotonic() - started)
        self.statuses[status] += 1

    async def _status(self) -> str:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(self.source, 0))
        try:
            ask = f"GET {self.target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            writer.write(ask.encode())
            answer = await reader.read()
            return answer[9:12].decode()
        finally:
            writer.close()


async def beside(crowd: Crowd, visitors: Sequence[Visitor], seconds: float, pause: float) -> None:
    """The visitors ask while the crowd stays."""
    crowding = asyncio.create_task(crowd.stay())
    until = time.monotonic() + seconds
    try:
        await asyncio.gather(*(visitor.ask(until, pause) for visitor in visitors))
    finally:
        crowding.cancel()
        with suppress(asyncio.CancelledError):
            await crowding


def raise_files(wanted: int) -> None:
    """Let this process open so many files, as far as the system lets it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(wanted, hard), hard))


def main(port: int, number: int, seconds: float, *sources: str) -> None:
    """A crowd in a process of its own."""
    raise_files(number + 1_000)

    async def crowd() -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await Crowd(port, sources, number).stay()

    asyncio.run(crowd())


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), *sys.argv[4:])
