"""Converts between our values and Scrapy's: claim -> Request, Response or Failure -> fetch."""

import logging
import time
from collections.abc import Iterable
from typing import Any

from scrapy import Request
from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
    IgnoreRequest,
    ResponseDataLossError,
)
from scrapy.http import Response
from twisted.internet.error import ConnectError, ConnectionLost
from twisted.python.failure import Failure

from engine.crawl import CUT_SHORT, OUT_OF_MEMORY, SUCCESS, select_headers
from engine.errors import PageError
from engine.middleware.body_limit import LIMITS
from engine.middleware.decompress import LOST, UNPACKED
from engine.middleware.in_flight import PAUSED
from engine.middleware.journal import REPLAYED
from engine.model import LISTS, Claim, Fetch, Purpose
from engine.settings import DOWNLOAD_MAXSIZE

logger = logging.getLogger("lycosa")

NO_ADDRESS = "no such host, or an address that is not allowed"
ALLOW_PRIVATE = (
    "a private address is asked only where crawl.toml allows it: by own = true in the [[site]] of a site of "
    'yours, or by allow_private = ["NAME"]'
)
# What kept an answer away, in the word that the summary counts.
_ERRORS: tuple[tuple[type[Exception], str], ...] = (
    (DownloadTimeoutError, "timeout"),
    (DownloadConnectionRefusedError, "connection refused"),
    (CannotResolveHostError, NO_ADDRESS),
    (DownloadCancelledError, "too large"),
    (ResponseDataLossError, CUT_SHORT),
    (IgnoreRequest, "not allowed"),
    (DownloadFailedError, "connection lost"),
    (ConnectionLost, "connection lost"),
    (ConnectError, "no connection"),
)
# Latin-1 maps each byte to a character: what a strange header holds is kept, never an error.
_HEADERS = "latin-1"
LINE = len("HTTP/1.1 200 OK\r\n")  # bytes; what a request line has besides its URL is as long


def build_request(claim: Claim, spider: Any) -> Request:
    """Builds the Scrapy request of a claim, to be sent at once."""
    headers = spider.identity.headers(claim)
    return Request(
        claim.url,
        callback=spider.parse_robots if claim.kind is Purpose.ROBOTS else spider.parse,
        errback=spider.errback,
        headers=headers,
        # The host is the slot: the frontier decides how many requests it gets.
        meta={
            "claim": claim,
            "started": spider.clock(),
            "began": time.monotonic(),
            "sent": len(claim.url) + _size(headers.items()),
            "download_slot": claim.host,
            "download_timeout": spider.settings.getfloat("DOWNLOAD_TIMEOUT"),  # Scrapy's own: ten seconds
            # What has a limit of its own is cut there (engine.middleware.body_limit), not refused.
            "download_maxsize": 0 if claim.kind in LIMITS else DOWNLOAD_MAXSIZE,
        },
        dont_filter=True,
    )


def fetch_from_response(response: Response) -> Fetch:
    """Builds the fetch that a response ends."""
    assert response.request
    meta = response.request.meta
    claim, status, error = meta["claim"], response.status, ""
    headers = tuple(
        (name.decode(_HEADERS).lower(), value.decode(_HEADERS))
        for name, values in response.headers.items()
        for value in values
    )
    if LOST in response.flags and status in SUCCESS:
        error = CUT_SHORT
        status = status if claim.kind in LISTS else 0  # of a sitemap what is there helps
    return Fetch(
        claim=claim,
        status=status,
        headers=select_headers(headers) if not error else (),  # what was cut must not be confirmed by a 304
        body=response.body if status else b"",
        error=error,
        at=meta["started"],
        seconds=time.monotonic() - meta["began"],
        address=str(response.ip_address or ""),
        sent=0 if REPLAYED in meta else meta["sent"],
        received=0 if REPLAYED in meta else meta.get("received", 0) + _size(headers),
        unpacked=meta.get(UNPACKED, 0) if status else 0,
        replayed=REPLAYED in meta,
    )


def fetch_from_failure(failure: Failure) -> Fetch:
    """Builds the fetch that brought no answer."""
    meta = failure.request.meta  # type: ignore[attr-defined]  # Scrapy puts it there
    error = describe_failure(failure.value)
    if error == "timeout" and meta.get(PAUSED):
        error = OUT_OF_MEMORY  # it was us who took the time
    if not error:
        logger.warning("no answer from %s: %r", meta["claim"].url, failure.value)
        error = "no answer"
    return Fetch(
        meta["claim"],
        0,
        error=error,
        at=meta["started"],
        seconds=time.monotonic() - meta["began"],
        sent=meta["sent"],
        received=meta.get("received", 0),
    )


def describe_failure(failure: BaseException | None) -> str:
    """Returns the word that the summary counts for what kept an answer away, '' where nobody knows it."""
    found = _find_error(failure)
    if isinstance(found, PageError):
        return found.kind
    return next((word for kind, word in _ERRORS if isinstance(found, kind)), "")


def _find_error(error: BaseException | None) -> BaseException | None:
    """Finds the error that ended an exchange, among those that Scrapy and Twisted wrap around ours."""
    reasons = getattr(error and error.__cause__, "reasons", ())
    return next((one.value for one in reasons if isinstance(one.value, PageError)), error)


def _size(headers: Iterable[tuple[str, str]]) -> int:
    """Counts the bytes of headers, each with colon, space and its line's end, and of the first line."""
    return LINE + sum(len(name) + len(value) + 4 for name, value in headers)
