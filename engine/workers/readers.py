"""Runs reader processes: a page that kills its reader stops nothing else.

A crawl spends most of its time on reading, so this also gives it a second
processor core. A reader that takes too long or too much memory for one page
dies of it; the page is counted, another reader goes on with the next.

A reader is not trusted: it is confined (engine.workers.sandbox), gets none of our
environment, and is ended from here when it stays silent, whatever its own limits are.
"""

import asyncio
import logging
import resource
import socket
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from engine.config import Duplicates, ReadingLimits, ScreeningConfig
from engine.errors import EngineError, PageError
from engine.model import Reading
from engine.robots import Sitemap
from engine.url import NO_ALIASES, Aliases
from engine.workers.frames import TOO_MUCH, decode_frame, decode_reading, encode_header, encode_settings
from engine.workers.reading_context import NO_CONTEXT, ReadingContext
from engine.workers.sandbox import (
    FENCES,
    MAX_MEMORY,
    SITEMAP_SECONDS,
    STALLED,
    clean_environment,
    describe_fences,
)
from engine.workers.sitemap_frames import decode_sitemap

NUMBER = 2  # with so many, fetching is what takes longest; the second starts when the first is busy
SILENT = 60.0  # seconds by the clock beside those after which a reader ends itself: a start on a busy machine
LOOK = 30.0  # seconds between looks for one that does not
MAX_STARTS = 3  # in a row that end before anything could be read: then it is no page's fault
PAUSE = 0.2  # seconds after a start that failed: what there was no room for may have some then
UNSTARTED = {"error": "the reader does not start"}
PIECE = 1 << 18  # bytes of a body that are passed on at once
MAX_ANSWER = 1 << 28  # bytes; 50,000 URLs of a sitemap have 100 MB at most

logger = logging.getLogger("lycosa")


def check_memory() -> None:
    """Raises EngineError where this process may not take as much memory as one of its readers needs."""
    allowed, _ = resource.getrlimit(resource.RLIMIT_AS)
    if allowed != resource.RLIM_INFINITY and allowed < MAX_MEMORY:
        raise EngineError(
            f"no process here may take more than {allowed / 1e6:,.0f} MB of memory, and a process that reads "
            f"pages needs up to {MAX_MEMORY / 1e6:,.0f}: allow more (ulimit -v unlimited), then crawl again"
        )


class ReaderPool:
    """A pool of reader processes; the least busy one gets the next body. For one event loop only.

    `aliases` gives what is known of spellings now; the readers are told again when that has grown.
    `duplicates` says which pages count as copies.
    """

    def __init__(
        self,
        aliases: Callable[[], Aliases] = lambda: NO_ALIASES,
        unwanted: ScreeningConfig = ScreeningConfig(),
        duplicates: Duplicates = Duplicates(),
        allowed: ReadingLimits = ReadingLimits(),
    ) -> None:
        self._readers = [_ReaderProcess(aliases, unwanted, duplicates, allowed) for _ in range(NUMBER)]
        self._readers[0].begin()

    async def read(
        self,
        body: bytes,
        url: str,
        content_type: str,
        headers: Sequence[tuple[str, str]],
        *,
        unpacked: int = 0,
        context: ReadingContext = NO_CONTEXT,
    ) -> Reading:
        """Calls `body.read_body` in a reader; `unpacked`: decompressed length of a packed body, 0 for others.

        Raises PageError as it does, and when the reader died of it.
        """
        known = ([*context.recognized.items()], context.rendered, context.published)
        source = {"url": url, "type": content_type, "headers": headers, "context": known}
        answer = await self._ask(source | {"unpacked": unpacked}, body)
        try:
            return decode_reading(*answer)
        except (TypeError, ValueError, LookupError, AttributeError) as error:
            raise PageError(TOO_MUCH["error"]) from error  # whoever answers so is no reader any more

    async def sitemap(self, body: bytes, url: str, *, unpacked: int = 0, scope: str = "host") -> Sitemap:
        """Calls `engine.robots.read_sitemap` in a reader; returns no entries when the reader died of it.

        `scope`: which URLs it may name; a sitemap all of its host (C27).
        """
        return decode_sitemap(*await self._ask({"sitemap": url, "scope": scope, "unpacked": unpacked}, body))

    async def render(self, body: bytes, number: int, *, unpacked: int = 0) -> bytes:
        """Calls `engine.text.documents.render_page` in a reader. Raises PageError as `read` does."""
        fields, picture = await self._ask({"picture": number, "unpacked": unpacked}, body)
        if "error" in fields:
            raise PageError(str(fields["error"]))
        return picture

    async def _ask(self, fields: dict[str, Any], body: bytes) -> tuple[dict[str, Any], bytes]:
        answer = await min(self._readers, key=lambda one: len(one.waiting)).ask(fields, body)
        if answer[0] == UNSTARTED:
            raise EngineError(
                "the process that reads pages does not start: is there too little memory, or no room for "
                "another process? Fix that and run the same command again: it continues where it stopped"
            )
        return answer

    def close(self) -> None:
        """Ends the processes."""
        for reader in self._readers:
            reader.close()


class _ReaderProcess(asyncio.Protocol):
    """One process and its pending requests, in order."""

    def __init__(
        self,
        aliases: Callable[[], Aliases],
        unwanted: ScreeningConfig,
        duplicates: Duplicates,
        allowed: ReadingLimits,
    ) -> None:
        self._aliases = aliases
        self._unwanted = unwanted
        self._duplicates = duplicates
        self._allowed = allowed
        self._told: Aliases | None = None
        self.waiting: deque[tuple[asyncio.Future[tuple[dict[str, Any], bytes]], bytes, bytes]] = deque()
        self._sent = 0  # of those that wait; of the last of them something may be left
        self._left = memoryview(b"")
        self._is_full = False
        self._transport: asyncio.Transport | None = None
        self._starting: asyncio.Task[None] | None = None
        self._received = bytearray()
        self._heard_at = 0.0  # by the loop's clock; what is read now was begun then
        self._patience = STALLED * max(SITEMAP_SECONDS, allowed.seconds) + SILENT
        self._watch: asyncio.TimerHandle | None = None
        self._starts = 0  # in vain, in a row

    async def ask(self, fields: dict[str, Any], blob: bytes) -> tuple[dict[str, Any], bytes]:
        loop = asyncio.get_running_loop()
        if not self.waiting:
            self._heard_at = loop.time()
        answer: asyncio.Future[tuple[dict[str, Any], bytes]] = loop.create_future()
        self.waiting.append((answer, encode_header(fields, blob), blob))
        if self._transport:
            self._send(self._transport)
        elif not self._starting:
            self.begin()
        return await answer

    def begin(self) -> None:
        self._starting = asyncio.get_running_loop().create_task(self._start())

    async def _start(self) -> None:
        self._starts += 1  # until it says that it can read
        try:
            ours = self._launch()
        except OSError as error:
            logger.warning("cannot start a reader process: %s", error)
            if self._starts < MAX_STARTS:
                await asyncio.sleep(PAUSE)
            self._starting = None
            self._go_on()
        else:
            await asyncio.get_running_loop().connect_accepted_socket(lambda: self, ours)

    def _launch(self) -> socket.socket:
        """Starts the process; returns our end of its socket. Raises OSError where that fails."""
        ours, theirs = socket.socketpair()
        command = [sys.executable, "-m", "engine.workers", str(self._allowed.seconds), *self._allowed.types]
        with theirs:
            try:
                self._process = subprocess.Popen(  # noqa: S603
                    command, stdin=theirs.fileno(), env=clean_environment(), process_group=0
                )
            except OSError:
                ours.close()
                raise
        return ours

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport, self._starting = transport, None
        self._told, self._sent, self._left, self._is_full = None, 0, memoryview(b""), False
        self._send(transport)
        self._look()

    def pause_writing(self) -> None:
        self._is_full = True

    def resume_writing(self) -> None:
        self._is_full = False
        assert self._transport
        self._send(self._transport)

    def _send(self, transport: asyncio.Transport) -> None:
        """Writes pending data, as much as the connection takes at once: it copies the rest."""
        while not self._is_full and (self._left or self._sent < len(self.waiting)):
            if not self._left:
                self._introduce(transport)
                _, start, blob = self.waiting[self._sent]
                self._sent, self._left = self._sent + 1, memoryview(blob)
                transport.write(start)
            transport.write(self._left[:PIECE])
            self._left = self._left[PIECE:]

    def _look(self) -> None:
        """Ends a reader that stays silent: one that was taken over need not keep to its own limits."""
        loop = asyncio.get_running_loop()
        if self.waiting and loop.time() - self._heard_at > self._patience:
            self._process.kill()
        else:
            self._watch = loop.call_later(LOOK, self._look)

    def _introduce(self, transport: asyncio.Transport) -> None:
        """Sends the process its settings, unless it has them."""
        aliases = self._aliases()
        if aliases is not self._told:
            self._told = aliases
            transport.write(encode_settings(aliases, self._unwanted, self._duplicates))

    def data_received(self, data: bytes) -> None:
        self._received += data
        self._heard_at = asyncio.get_running_loop().time()
        try:
            while answer := decode_frame(self._received):
                self._take(*answer)
        except (ValueError, LookupError):
            self._process.kill()  # no answer of a reader's
        if len(self._received) > MAX_ANSWER:
            self._process.kill()

    def _take(self, fields: dict[str, Any], blob: bytes) -> None:
        if "confined" in fields:
            self._starts = 0
            _tell(tuple(fields["confined"]))
            return
        if "fault" in fields:
            logger.error("a page could not be read because of a bug in Lycosa: %.200r", fields["fault"])
        if not self._sent:
            raise LookupError("an answer to what was not asked")
        self.waiting.popleft()[0].set_result((fields, blob))
        self._sent -= 1

    def connection_lost(self, error: Exception | None) -> None:
        """Handles the end of the process: it died of the page that it was reading, or was closed."""
        self._transport = None
        if self._watch:
            self._watch.cancel()
        self._heard_at = asyncio.get_running_loop().time()
        self._received.clear()
        self._process.kill()
        self._process.wait()
        if self._starts == 0 and self.waiting:
            self.waiting.popleft()[0].set_result((TOO_MUCH, b""))
        self._go_on()

    def _go_on(self) -> None:
        """Restarts the process for pending requests, or fails them after too many failed starts."""
        while self._starts >= MAX_STARTS and self.waiting:
            self.waiting.popleft()[0].set_result((UNSTARTED, b""))
        if self.waiting:
            self.begin()

    def close(self) -> None:
        """Ends the process, or its start; pending requests get no response and no other process."""
        if self._starting:
            self._starting.cancel()
        if self._transport:
            self._transport.close()
        while self.waiting:
            self.waiting.popleft()[0].cancel()


@cache
def _tell(fences: Sequence[str]) -> None:
    """Logs once how readers are confined."""
    level = logging.INFO if len(fences) == len(FENCES) else logging.WARNING
    logger.log(level, "readers of pages are confined by %s", describe_fences(fences))
