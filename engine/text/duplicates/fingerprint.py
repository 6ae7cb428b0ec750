"""Fingerprints a page: equal ones are duplicates, equal shapes differ only in numbers.

A page that says "there is no /a/b.html here" says something else under each URL, but has always the
same shape: of its text only the letters count, without what it may repeat of its own URL.
"""

from collections.abc import Callable
from hashlib import blake2b
from typing import NamedTuple
from urllib.parse import unquote

from engine.model import CELL_END, Page

SIZE = 16  # bytes: two of 10**12 different pages share one with a chance of 1 in 10**15
FEWEST = 3  # characters of a URL that count as repeated: one or two stand in every text

_CELL_END = CELL_END.encode()
_NO_LETTERS = bytes(octet for octet in range(128) if not chr(octet).isalpha())


class PageDigests(NamedTuple):
    """Of one page; both b'' for one without text, the shape also for one without letters."""

    fingerprint: bytes
    shape: bytes
    near: tuple[int, ...] = ()  # keys of which near duplicates share one (engine.text.duplicates.sketch)


def compute_fingerprint(page: Page, *, links: bool = False) -> bytes:
    """Computes the digest of the visible text, line breaks and case aside (requirements 55-57).

    `links`: also of where its links go.
    """
    return _digest(_fold_page(page), _link_targets(page, links))


def compute_digests(page: Page, *, near: bool = True, links: bool = False) -> PageDigests:
    """Computes fingerprint, with `links` or without, shape (requirement 81), with `near` the keys."""
    octets, targets = _fold_page(page), _link_targets(page, links)
    return PageDigests(
        _digest(octets, targets),
        _compute_shape(octets, page.url),
        _compute_keys(octets, page, targets) if near else (),
    )


def _compute_keys(octets: bytes, page: Page, targets: bytes) -> tuple[int, ...]:
    from engine.text.duplicates.sketch import (
        compute_sketch,  # here, because commands that read no page start without NumPy
    )

    return compute_sketch(octets, page, targets)


def _link_targets(page: Page, links: bool) -> bytes:
    """Joins the targets of a page's links, if they count."""
    return b"".join(b"\0%b" % link.url.encode() for link in page.links) if links else b""


def _fold_page(page: Page) -> bytes:
    """Folds case, in UTF-8; read_document() left single spaces, and ASCII is fast, so part by part.

    What parts lines, and cells of a row, is a space.
    """
    parts = [part.casefold() for section in page.sections for part in (section.heading, section.text) if part]
    return " ".join(parts).encode().replace(_CELL_END, b"").replace(b"\n", b" ")


def _compute_shape(octets: bytes, url: str) -> bytes:
    path = url[url.index("/", len("https://")) :]
    bare, _, query = path.partition("?")
    last = bare.rstrip("/").rpartition("/")[2]
    name = last.partition(".")[0]
    parts = [url, *(part for part in (path, bare) if part != "/")]
    parts += [part for part in (last, name) if len(part) >= FEWEST]
    # What holds the last of these needs no search of its own where that does not stand in the text.
    for url_words in _spell_url_part(parts[-1]):
        if url_words(parts[-1]).casefold().encode() in octets:
            for part in parts:
                octets = octets.replace(url_words(part).casefold().encode(), b"")
    if len(query) >= FEWEST:
        octets = octets.replace(query.casefold().encode(), b"")
    return _digest(octets.translate(None, _NO_LETTERS))


def _spell_url_part(part: str) -> list[Callable[[str], str]]:
    """Lists the ways in which a text may spell a part of a URL."""
    as_title = [_url_part_to_words] if "-" in part or "_" in part else []
    return [str, *([unquote] if "%" in part else []), *as_title]


def _url_part_to_words(part: str) -> str:
    """Writes a part of a URL as a title shows it."""
    return unquote(part).replace("-", " ").replace("_", " ")


def _digest(octets: bytes, besides: bytes = b"") -> bytes:
    return blake2b(octets + besides, digest_size=SIZE).digest() if octets else b""
