"""Describes a capture: one response as a record of a WARC file has it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from engine.warc.duplicates import parse_duplicate

if TYPE_CHECKING:
    from fastwarc.warc import WarcRecord

RESPONSE, RESOURCE, REVISIT = "response", "resource", "revisit"
_KINDS = (RESPONSE, RESOURCE, REVISIT)
_HTTP = ("http://", "https://")
# Latin-1 maps each byte to a character: what a strange header holds is kept, never an error.
_HEADERS = "latin-1"
_FIRST_DAY = "0000-01-01"  # of a year or month, behind what is written of it
_FOUND = 200  # of a resource, which was stored as a file and has no status (ISO 28500, 6.4)


@dataclass(frozen=True, slots=True)
class Capture:
    """A response, or a revisit that found what an earlier capture has (ISO 28500, 6.7).

    `number` counts the records of its file from 0, `at` is in seconds since 1970, `digest` of the payload as
    the writer of the file wrote it, '' without. `refers_to` is the URL whose body a revisit means,
    `duplicate_of` that of the page of which this is a copy, '' where none is named.
    """

    kind: str
    number: int
    url: str
    at: float
    status: int
    headers: Sequence[tuple[str, str]]  # names in lower case
    digest: str = ""
    refers_to: str = ""
    address: str = ""
    duplicate_of: str = ""

    def header(self, name: str) -> str:
        """Returns the first value of a header, '' without one; `name` in lower case."""
        return next((value for key, value in self.headers if key == name), "")


def parse_capture(record: "WarcRecord", number: int, max_head: int) -> Capture | None:
    """Parses the head of a record, up to its payload; None for what is no capture of an http(s) URL.

    Raises ValueError or OSError for one that is damaged.
    """
    kind = str(record.record_type)
    url = (record.headers.get("WARC-Target-URI") or "").strip("<> ")  # wget has brackets round it
    if kind not in _KINDS or not url.lower().startswith(_HTTP):
        return None
    if kind == RESOURCE:
        head = _HttpHead(_FOUND, (("content-type", record.headers.get("Content-Type") or ""),))
    else:
        head = _parse_http(record, max_head, kind)
    return Capture(
        kind,
        number,
        url,
        _parse_date(record),
        head.status,
        head.headers,
        record.headers.get("WARC-Payload-Digest") or "",
        (record.headers.get("WARC-Refers-To-Target-URI") or "").strip("<> ") or url,
        record.headers.get("WARC-IP-Address") or "",
        parse_duplicate(record),
    )


class _HttpHead(NamedTuple):
    status: int
    headers: tuple[tuple[str, str], ...] = ()


def _parse_http(record: "WarcRecord", max_head: int, kind: str) -> _HttpHead:
    """Parses status and headers of a response; a revisit may have none (ISO 28500, 6.7.2)."""
    if kind == REVISIT and not record.content_length:
        return _HttpHead(_FOUND)
    record.is_http = True  # some writers leave msgtype out, or the Content-Type
    record.parse_http(quirks_mode=True, max_header_len=max_head)
    head = record.http_headers
    if head is None or head.status_code is None:
        raise ValueError("no HTTP status")
    pairs = (
        (name.decode(_HEADERS).lower(), value.decode(_HEADERS).strip()) for name, value in head.items_bytes()
    )
    return _HttpHead(head.status_code, tuple(pairs))


def _parse_date(record: "WarcRecord") -> float:
    """Parses the date of a capture, which may be a year alone (ISO 28500, 5.4). Raises ValueError."""
    date = record.record_date
    if date is None:
        written = record.headers.get("WARC-Date") or ""
        date = datetime.fromisoformat(written + _FIRST_DAY[len(written) :]).replace(tzinfo=UTC)
    return date.timestamp()
