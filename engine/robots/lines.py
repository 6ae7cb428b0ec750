"""Reads robots.txt from any octets into fields and values (RFC 9309, 2.2; requirements 124-143)."""

import re
from collections.abc import Iterator
from typing import NamedTuple

MAX_ROBOTS_BYTES = 500 * 1024  # RFC 9309, 2.5: parse at least this much; requirement 138, C17
WHITE = " \t"  # and nothing else: in Latin-1 str.split and str.strip would cut UTF-8 letters in two
BLANK = ""  # the field of a blank line

# The fields that mean something to us, and the slips of the pen that owners are forgiven (requirement 143).
FIELDS = {
    "user-agent": "user-agent",
    "useragent": "user-agent",
    "user agent": "user-agent",
    "user\tagent": "user-agent",
    "allow": "allow",
    "disallow": "disallow",
    "dissallow": "disallow",
    "dissalow": "disallow",
    "disalow": "disallow",
    "diasllow": "disallow",
    "disallaw": "disallow",
    "crawl-delay": "crawl-delay",
    "crawldelay": "crawl-delay",
    "request-rate": "request-rate",
    "visit-time": "visit-time",
    "content-signal": "content-signal",
    "sitemap": "sitemap",
    "site-map": "sitemap",
}
_BYTE_ORDER_MARKS = (b"\xef\xbb\xbf", b"\xef\xbb", b"\xef")  # of UTF-8, whole and cut (C21)
# One line, whatever it is: field, what parts it from its value, value, rest. No part gives back what it
# took, so the time is linear in the file.
_LINE = re.compile(
    r"[ \t]*+(?:((?i:user[ \t]agent)|[A-Za-z-]++)([ \t]*+:|[ \t])[ \t]*+([^#\n]*+))?([^\n]*+)\n"
)
_BLANK = re.compile(r"^[ \t]*+(?=\n)", re.MULTILINE)
_COMMENT = re.compile(r"^[ \t]*+#", re.MULTILINE)


class Statistics(NamedTuple):
    """The number of lines of the three kinds (requirement 124)."""

    blank: int
    comment: int
    rule: int


def read_text(body: bytes) -> str:
    """Decodes the whole lines within the limit, each with its end, one character an octet."""
    octets = body[:MAX_ROBOTS_BYTES]
    if octets.startswith((b"\xff\xfe", b"\xfe\xff")):
        octets = octets.decode("utf-16", "replace").encode()
    elif octets.startswith(b"\xef"):
        octets = octets.removeprefix(next(mark for mark in _BYTE_ORDER_MARKS if octets.startswith(mark)))
    text = octets.decode("latin-1")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if len(body) > MAX_ROBOTS_BYTES:
        return text[: text.rfind("\n") + 1]
    return text if text.endswith("\n") or not text else text + "\n"


def read_lines(text: str) -> Iterator[tuple[int, str, str, str]]:
    """Yields number, field, value and slip of blank lines and of those with a known field.

    `text` is what `read_text` gives. The slip is what was wrong with the spelling, '' if nothing.
    """
    for number, (written, colon, value, rest) in enumerate(_LINE.findall(text), 1):
        if not written:
            if not rest:
                yield number, BLANK, "", ""
            continue
        spelt = written.lower()
        field = FIELDS.get(spelt)
        if field is None:
            continue
        value = value.rstrip(WHITE)
        if colon[-1] == ":":
            slip = "" if spelt == field else f'"{written}": did you mean {field.title()}?'
            yield number, field, value, slip
        elif value and not (" " in value or "\t" in value):  # one word may follow; more are prose
            yield number, field, value, "no colon"


def count_lines(text: str) -> Statistics:
    """Counts the lines of each kind in what `read_text` gives."""
    blank, comment = len(_BLANK.findall(text)), len(_COMMENT.findall(text))
    return Statistics(blank, comment, text.count("\n") - blank - comment)


def decode_for_display(octets: str) -> str:
    """Decodes octets for a person: UTF-8, with a mark where they are none."""
    return octets.encode("latin-1").decode("utf-8", "replace")
