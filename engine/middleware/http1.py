"""Bounds what Twisted reads of HTTP/1.1 responses for Scrapy (RFC 9112).

Twisted bounds a line, the trailer of a chunked body and the extension of each chunk; not how many lines a
head has, how many interim answers come before it, nor how many chunks of next to nothing. What goes beyond
a bound is no answer: the connection is cut, and the page's visit says why.
"""

import re
from collections.abc import Callable
from typing import Any

from scrapy.core.downloader.handlers.http11 import (
    _LenientHTTP11ClientFactory,
    _LenientHTTP11ClientProtocol,
    _LenientHTTPClientParser,
)
from twisted.internet.error import ConnectionDone, ConnectionLost
from twisted.internet.interfaces import ISSLTransport
from twisted.python.failure import Failure
from twisted.web._newclient import HTTP11ClientProtocol, ParseError
from twisted.web.http import _ChunkedTransferDecoder

from engine.crawl import HEAD_TOO_LARGE, NO_HTTP
from engine.errors import PageError

MAX_HEAD_BYTES = 64 * 1024  # of an answer's head, interim ones before it included; Apache and nginx send 8
MAX_HEAD_LINES = 256  # of all these; the heads of busy sites have some 60
MAX_LINE_BYTES = 16 * 1024  # of one field, as Twisted has it; a Content-Security-Policy has up to 8
MAX_INTERIM = 16  # answers 1xx before the real one (RFC 9110, 15.2); one or two are usual
MAX_FRAMING_BYTES = 1024 * 1024  # of a chunked body beside its content; 10 MB in chunks of 100 bytes have 0.7

_STATUS_LINE = re.compile(rb"HTTP/\d+\.\d+ [1-9]\d\d(?: .*)?", re.DOTALL)  # a status is 100 to 999


class BoundedChunks(_ChunkedTransferDecoder):
    """Decodes a chunked body; what came at once is passed on at once, however many chunks it was."""

    def __init__(self, receive: Callable[[bytes], None], finish: Callable[[bytes], None]) -> None:
        self._content: list[bytes] = []
        self._framing = 0  # bytes that were no content, or have not been read yet
        self._receive, self._finish = receive, finish
        super().__init__(self._content.append, self._finished)

    def dataReceived(self, data: bytes) -> None:  # noqa: N802
        """Raises an exception for what is no chunk, and PageError for too many small ones."""
        self._framing += len(data)
        try:
            super().dataReceived(data)
        finally:
            self._deliver()
        if self._framing - len(self._buffer) > MAX_FRAMING_BYTES:
            raise PageError(NO_HTTP, "a body of chunks with next to nothing in them")

    def _finished(self, rest: bytes) -> None:
        self._deliver()
        self._finish(rest)

    def _deliver(self) -> None:
        if content := b"".join(self._content):
            self._content.clear()
            self._framing -= len(content)
            self._receive(content)


class BoundedParser(_LenientHTTPClientParser):
    """Parses a response.

    It takes the place of Scrapy's parser once that is made, so its counters begin here.
    """

    MAX_LENGTH = MAX_LINE_BYTES
    _transferDecoders = {b"chunked": BoundedChunks}  # type: ignore[dict-item]  # noqa: N815, RUF012
    _lines = _octets = _interim = 0

    def lineReceived(self, line: bytes) -> None:  # noqa: N802
        """Counts a line of a head. Raises PageError for one too many."""
        self._lines += 1
        self._octets += len(line) + len(self.delimiter)
        if self._lines > MAX_HEAD_LINES or self._octets > MAX_HEAD_BYTES:
            raise PageError(HEAD_TOO_LARGE)
        super().lineReceived(line)

    def lineLengthExceeded(self, line: bytes) -> None:  # noqa: N802
        """Raises PageError."""
        raise PageError(HEAD_TOO_LARGE)

    def statusReceived(self, status: bytes) -> None:  # noqa: N802
        """Raises PageError for what is no status line."""
        if not _STATUS_LINE.fullmatch(status):
            raise PageError(NO_HTTP)
        super().statusReceived(status)  # type: ignore[no-untyped-call]

    def allHeadersReceived(self) -> None:  # noqa: N802
        """Ends a head. Raises PageError for an interim response too many."""
        self._interim += self.response.code < 200
        if self._interim > MAX_INTERIM:
            raise PageError(HEAD_TOO_LARGE)
        super().allHeadersReceived()  # type: ignore[no-untyped-call]


def _alone(_: Any) -> None:
    """Does nothing: nobody counts what a connection brings."""


class BoundedProtocol(_LenientHTTP11ClientProtocol):
    """Closes a connection when a response exceeds a bound, and when bytes come that nobody asked for."""

    _passed: Callable[[Any], None] = staticmethod(_alone)  # is told which has brought something

    def request(self, request: Any) -> Any:
        """Sends a request as Scrapy does, with our parser."""
        answer = super().request(request)
        assert self._parser is not None
        self._parser.__class__ = BoundedParser
        return answer

    def dataReceived(self, bytes: bytes) -> None:  # noqa: A002, N802
        """Receives some of a response."""
        if self._parser is None:
            self.transport.abortConnection()  # type: ignore[union-attr]
            return
        try:
            self._parser.dataReceived(bytes)  # type: ignore[no-untyped-call]
            self._passed(self.transport)
        except PageError:
            self._giveUp(Failure())  # type: ignore[no-untyped-call]
        except Exception as error:
            why = PageError(NO_HTTP) if isinstance(error, ParseError | ValueError | KeyError) else error
            self._giveUp(Failure(why))  # type: ignore[no-untyped-call]

    def _disconnectParser(self, reason: Any) -> None:  # noqa: N802
        """Treats a body without a length as incomplete when its connection was reset.

        Over TLS nobody can tell: too many servers end both in the same way.
        """
        decoder = self._parser and self._parser.bodyDecoder
        reset = isinstance(getattr(reason, "value", reason), ConnectionLost)
        over_tls = ISSLTransport.providedBy(self.transport)
        if reset and not over_tls and getattr(decoder, "contentLength", 0) is None:
            decoder.contentLength = 1  # type: ignore[union-attr]  # one octet at least is missing
        super()._disconnectParser(reason)  # type: ignore[no-untyped-call]

    def _giveUp(self, reason: Failure) -> None:  # noqa: N802
        """Aborts the connection: a TLS close waits for the other side, which may go on sending instead."""
        super()._giveUp(reason)  # type: ignore[no-untyped-call]
        whole = isinstance(reason.value, ConnectionDone)
        if not whole or ISSLTransport.providedBy(self.transport):
            self.transport.abortConnection()  # type: ignore[union-attr]


class BoundedFactory(_LenientHTTP11ClientFactory):
    """Makes bounded connections."""

    passed: Callable[[Any], None] = staticmethod(_alone)

    def buildProtocol(self, addr: Any) -> HTTP11ClientProtocol:  # noqa: N802
        """Builds the protocol as Scrapy does."""
        made = BoundedProtocol(self._quiescentCallback)  # type: ignore[no-untyped-call]
        made._passed = self.passed
        return made
