"""HTTP/1.1 as httptools reads it (RFC 9112), with the bounds and refusals that it leaves to us."""

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MAX_HEAD_BYTES = 64 * 1024  # request line and headers; MAX_TYPED percent-encoded is 12 KiB
MAX_AHEAD = 16  # requests on one connection before the first of them is answered; browsers send none
VERSIONS = ("1.0", "1.1")


class Protocol(HttpToolsProtocol):
    """One connection. Whatever it refuses is answered with 400, and nothing more is read.

    `unfinished` counts the octets of a head, of a chunk's size or of trailers that have come without their
    end, so no more than MAX_HEAD_BYTES and what is read at once (256 KiB) is kept of any.
    """

    unfinished = 0

    def data_received(self, data: bytes) -> None:
        """Read on."""
        self.unfinished += len(data)
        super().data_received(data)
        if self.unfinished > MAX_HEAD_BYTES and not self.transport.is_closing():
            self.send_400_response("The head of the request is too long.")

    def on_message_begin(self) -> None:
        """Requests that wait for an answer are kept, so they are few. ValueError becomes 400."""
        if len(self.pipeline) >= MAX_AHEAD:
            raise ValueError("too many requests at once")
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """A version that is ours, and one Host where there has to be one (RFC 9112, 3.2). ValueError: 400."""
        self.unfinished = 0
        version = self.parser.get_http_version()
        hosts = sum(name == b"host" for name, _ in self.headers)
        if version not in VERSIONS or hosts > 1 or (version == "1.1" and not hosts):
            raise ValueError("no request that we understand")
        super().on_headers_complete()
        self.headers = []  # of trailers, which are no headers (RFC 9110, 6.5.1)
        if self.parser.should_upgrade():  # we speak nothing else, and what follows cannot be read
            self.cycle.keep_alive = False

    def on_body(self, body: bytes) -> None:
        """A piece of the body."""
        self.unfinished = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """The end of a request."""
        self.unfinished = 0
        super().on_message_complete()
