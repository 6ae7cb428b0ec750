"""The lexical form of robots.txt: any octets -> fields and values (RFC 9309, 2.2; requirements 124-143)."""

import re
from typing import NamedTuple

MAX_ROBOTS_BYTES = 500 * 1024  # RFC 9309, 2.5: parse at least this much; requirement 138, C17
WHITE = " \t"  # and nothing else: in Latin-1 str.split and str.strip would cut UTF-8 letters in two
BLANKS = re.compile(r"[ \t]+")

# The fields that mean something to us, and the slips of the pen that owners are forgiven (requirement 143).
FIELDS = {
    "user-agent": "user-agent",
    "useragent": "user-agent",
    "user agent": "user-agent",
    "allow": "allow",
    "disallow": "disallow",
    "dissallow": "disallow",
    "dissalow": "disallow",
    "disalow": "disallow",
    "diasllow": "disallow",
    "disallaw": "disallow",
    "crawl-delay": "crawl-delay",
    "crawldelay": "crawl-delay",
    "sitemap": "sitemap",
    "site-map": "sitemap",
}
_BYTE_ORDER_MARKS = ("\xef\xbb\xbf", "\xef\xbb", "\xef")  # of UTF-8, whole and cut (C21), as octets
_FIELD_VALUE = re.compile(r"(user[ \t]agent|[\w-]++)([ \t]*+:|[ \t])[ \t]*(.*)", re.IGNORECASE)


class Line(NamedTuple):
    """One line that has a field we know; `slip` says what was wrong with its spelling, '' if nothing."""

    field: str
    value: str
    slip: str = ""


def split_lines(body: bytes) -> list[str]:
    """The whole lines within the limit, without their ends; one character an octet."""
    text = _octets(body[:MAX_ROBOTS_BYTES]).replace("\r\n", "\n").replace("\r", "\n")
    if len(body) > MAX_ROBOTS_BYTES:
        text = text[: text.rfind("\n") + 1]
    lines = text.split("\n")
    return lines if lines[-1] else lines[:-1]


def read_line(raw: str) -> Line | None:
    """Field and value of a line, or None: blank, comment, unknown field or prose."""
    match = _FIELD_VALUE.match(raw.partition("#")[0].strip(WHITE))
    if not match:
        return None
    written, colon, value = match.groups()
    field = FIELDS.get(written.lower().replace("\t", " "))
    if field is None:
        return None
    if not colon.endswith(":"):  # one word may follow; more are prose
        return None if not value or BLANKS.search(value) else Line(field, value, "no colon")
    return Line(field, value, "" if written.lower() == field else f"{written} for {field}")


def as_text(octets: str) -> str:
    """Octets as a person reads them: UTF-8, with a mark where they are none."""
    return octets.encode("latin-1").decode("utf-8", "replace")


def _octets(body: bytes) -> str:
    if body.startswith((b"\xff\xfe", b"\xfe\xff")):
        body = body.decode("utf-16", "replace").encode()
    text = body.decode("latin-1")
    return next((text.removeprefix(mark) for mark in _BYTE_ORDER_MARKS if text.startswith(mark)), text)
