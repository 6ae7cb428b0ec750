"""Speaks HTTP/1.1 by httptools (RFC 9112), with the bounds and refusals that it leaves to us."""

import asyncio
import logging
from collections.abc import Callable
from typing import Any

import httptools
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from search_ui.server.connections import ConnectionLimiter, ConnectionSlot

MAX_HEAD_BYTES = 64 * 1024  # request line and headers; MAX_TYPED percent-encoded is 12 KiB
MAX_HEADERS = 100  # as Apache's LimitRequestFields; each takes 170 octets here, however short it is
MAX_AHEAD = 16  # requests on one connection before the first of them is answered; browsers send none
VERSIONS = ("1.0", "1.1")
HEALTH = "/health"  # answered in a spare slot, too
RETRY_SECONDS = b"1"

_QUIET = logging.getLogger("lycosa.http")
_QUIET.setLevel(logging.ERROR)  # a line for each bad request would fill the disk at a stranger's wish


class ResponseTransport(asyncio.Transport):
    """The connection as our answers see it: it is closed as `hang_up` says, once."""

    def __init__(self, connection: asyncio.Transport, hang_up: Callable[[], None]) -> None:
        super().__init__()
        self.connection = connection
        self.hang_up = hang_up
        self.has_ended = False

    def write(self, data: "bytes | bytearray | memoryview[Any]") -> None:
        """Writes, unless the end was written."""
        if not self.has_ended:
            self.connection.write(data)

    def close(self) -> None:
        """Hangs up."""
        if not self.is_closing():
            self.hang_up()

    def is_closing(self) -> bool:
        """Tells whether nothing more can be written."""
        return self.has_ended or self.connection.is_closing()

    def get_extra_info(self, name: str, default: object = None) -> Any:
        """Delegates to the connection."""
        return self.connection.get_extra_info(name, default)

    def pause_reading(self) -> None:
        """Delegates to the connection."""
        self.connection.pause_reading()

    def resume_reading(self) -> None:
        """Delegates to the connection."""
        if not self.connection.is_closing():
            self.connection.resume_reading()


class HttpProtocol(HttpToolsProtocol):
    """One connection. Whatever it refuses is answered with 400, and nothing more is read.

    `unfinished` counts the octets of a head, of a chunk's size or of trailers that have come without their
    end, so no more than MAX_HEAD_BYTES and what is read at once (256 KiB) is kept of any. An answer that does
    not wait for the end of its request is the last of the connection: the rest of the request is not read on.
    """

    unfinished = 0
    discarded = 0  # octets that came after the last answer
    keep_alive = True  # whether the connection outlives the newest request, once all of that has come
    slot: ConnectionSlot

    def __init__(self, limiter: ConnectionLimiter, root_path: str, **uvicorn_own: Any) -> None:
        super().__init__(**uvicorn_own)
        self.limiter = limiter
        self.health = HEALTH.encode(), f"{root_path}{HEALTH}".encode()  # stripped by a web server, and not
        self.logger = _QUIET

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Acquires a slot."""
        self.connection = transport
        super().connection_made(ResponseTransport(transport, self._hang_up))
        self.slot = self.limiter.acquire(self.limiter.identify_client(self.client), transport.abort)
        self._wait(self.limiter.deadlines.head)
        self.limiter.watch(self.loop)

    def connection_lost(self, exc: Exception | None) -> None:
        """Releases the slot, and drops what would keep this in memory."""
        self.transport.has_ended = True  # type: ignore[attr-defined]
        super().connection_lost(exc)
        self._unset_keepalive_if_required()
        self.limiter.release(self.slot)
        self.transport.hang_up = self.slot.close  # type: ignore[attr-defined]

    def eof_received(self) -> bool:  # type: ignore[override]
        """Keeps the connection open for the response after the client's last byte (RFC 9112, 9.6)."""
        if (
            self.transport.is_closing()
            or not self.cycle
            or self.cycle.response_complete
            or self._is_incomplete()
        ):
            return False
        self.cycle.keep_alive = False
        return True

    def data_received(self, data: bytes) -> None:
        """Parses what came, or discards it after the last response."""
        if self.transport.is_closing():
            self._discard(data)
            return
        self.unfinished += len(data)
        super().data_received(data)
        if self.unfinished > MAX_HEAD_BYTES and not self.transport.is_closing():
            self.send_400_response("The head of the request is too long.")

    def send_400_response(self, msg: str) -> None:
        """Refuses the request."""
        self.unfinished = 1
        super().send_400_response(msg)

    def on_message_begin(self) -> None:
        """Requests that wait for an answer are kept, so they are few. ValueError becomes 400."""
        if len(self.pipeline) >= MAX_AHEAD:
            raise ValueError("too many requests at once")
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Counts a header field or trailer towards MAX_HEADERS."""
        if len(self.headers) >= MAX_HEADERS:
            raise ValueError("too many headers")
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Checks the HTTP version and the one Host (RFC 9112, 3.2). Raises ValueError, answered by 400."""
        self.unfinished = 0
        self._check_head()
        self.app = self.config.loaded_app if self._is_admitted() else send_unavailable
        super().on_headers_complete()
        self.headers = []  # of trailers, which are no headers (RFC 9110, 6.5.1)
        # We speak nothing that one could upgrade to, and what follows such a request cannot be read.
        is_last = self.parser.should_upgrade() or self.limiter.is_draining
        self.keep_alive = self.cycle.keep_alive and not is_last
        self.cycle.keep_alive = False
        self._turn()

    def on_body(self, body: bytes) -> None:
        """Passes on a piece of the body."""
        self.unfinished = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Handles the end of a request."""
        self.unfinished = 0
        super().on_message_complete()
        if not self.cycle.response_started:
            self.cycle.keep_alive = self.keep_alive
        self._turn()

    def on_response_complete(self) -> None:
        """Handles the end of a response."""
        super().on_response_complete()
        if not self.transport.is_closing():
            self._turn()

    def shutdown(self) -> None:
        """Stops gracefully: requests under way are still answered."""
        self.keep_alive = False
        if self.cycle and not self.cycle.response_complete:
            super().shutdown()
        else:
            self.connection.close()

    def pause_writing(self) -> None:
        """Waits for a client that reads more slowly than we write."""
        super().pause_writing()
        self._wait_for_reader()

    def resume_writing(self) -> None:
        """Continues writing: the client has read what was buffered."""
        super().resume_writing()
        if not self.transport.is_closing():
            self._turn()

    def _check_head(self) -> None:
        version = self.parser.get_http_version()
        names = [name for name, _ in self.headers]
        hosts = names.count(b"host")
        if version not in VERSIONS or hosts > 1 or (version == "1.1" and not hosts):
            raise ValueError("no request that we understand")
        if version == "1.0" and b"transfer-encoding" in names:
            raise ValueError("where its body ends is in doubt (RFC 9112, 6.1)")
        if not self.url.startswith(b"/"):
            self._take_authority()

    def _take_authority(self) -> None:
        """Takes the authority of an absolute-form target in place of Host (RFC 9112, 3.2.2)."""
        target = httptools.parse_url(self.url)
        if target.userinfo:
            raise ValueError("no address of ours has a user in it")
        if target.host:
            host = b"[%s]" % target.host if b":" in target.host else target.host
            self.headers.insert(0, (b"host", host + (b":%d" % target.port if target.port else b"")))

    def _is_admitted(self) -> bool:
        return self.limiter.admit(self.slot) or self.url.partition(b"?")[0] in self.health

    def _is_incomplete(self) -> bool:
        """Tells whether a request has not arrived completely."""
        return bool(self.unfinished or (self.cycle and self.cycle.more_body))

    def _turn(self) -> None:
        """Sets the deadline of the connection: for our response, or for the client's next bytes."""
        deadlines = self.limiter.deadlines
        if self.flow.write_paused:
            return
        if not self.cycle or self.cycle.response_complete:
            self._wait(deadlines.head)
        elif self.cycle.more_body and not self.pipeline:
            self._wait(deadlines.body)
        else:
            self.limiter.clear_deadline(self.slot)

    def _wait(self, seconds: float) -> None:
        self.limiter.start_deadline(self.slot, self.loop.time() + seconds)

    def _wait_for_reader(self) -> None:
        deadlines = self.limiter.deadlines
        self._wait(deadlines.answer + self.connection.get_write_buffer_size() / deadlines.rate)

    def _hang_up(self) -> None:
        """Closes the connection once the response is sent; of a cut-off request, once the client has seen it.

        A system that has octets nobody read answers with a reset as it closes, which may overtake the answer.
        """
        self._unset_keepalive_if_required()
        if not self._is_incomplete():
            self.connection.close()
            if self.connection.get_write_buffer_size():
                self._wait_for_reader()
            return
        self.connection.write_eof()
        self.transport.has_ended = True  # type: ignore[attr-defined]
        self.flow.resume_reading()
        self._wait(self.limiter.deadlines.linger)

    def _discard(self, data: bytes) -> None:
        self.discarded += len(data)
        if self.discarded > self.limiter.deadlines.linger_bytes:
            self.connection.abort()


async def send_unavailable(_: Scope, receive: Receive, send: Send) -> None:
    """Answers 503 to a request in a spare slot."""
    said = b"Too many connections right now. Try again in a moment.\n"
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", b"%d" % len(said)),
        (b"retry-after", RETRY_SECONDS),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": 503, "headers": headers})
    await send({"type": "http.response.body", "body": said})
