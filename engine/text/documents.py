"""A response's body -> Page, by its media type."""

import re
import time
from collections.abc import Iterable
from dataclasses import replace

from engine.errors import PageError
from engine.page import Page, Section
from engine.robots import AGENT, directives
from engine.text.charset import decode
from engine.text.head import MAX_TITLE, Head, canonical
from engine.text.language import language
from engine.text.markup import read_html
from engine.text.sections import MAX_TEXT

XHTML = "application/xhtml+xml"
READABLE = frozenset(["text/html", XHTML, "text/plain"])
"""The media types that read() makes a page of, and that a server is told we accept."""

_STARTS_WITH_TAG = re.compile(rb"(?:\xef\xbb\xbf)?\s*<")
_EMPTY_ELEMENT = re.compile(rb"<([a-zA-Z][\w:-]*)((?:\s[^<>]*)?)/>")  # XML 1.0, 3.1


def read(body: bytes, url: str, content_type: str, headers: Iterable[tuple[str, str]]) -> Page:
    """The page in a body. Raises PageError('type') for a media type that we do not read."""
    media_type = content_type.partition(";")[0].strip().lower()
    if not media_type:
        media_type = "text/html" if _STARTS_WITH_TAG.match(body) else "text/plain"
    if media_type not in READABLE:
        raise PageError("type", media_type)
    if media_type == "text/plain":
        return read_text(body, url, content_type, headers)
    if media_type == XHTML:  # to an HTML parser <script/> opens an element that swallows the page
        body = _EMPTY_ELEMENT.sub(rb"<\1\2></\1>", body)
    return replace(read_html(body, url, content_type, headers), media_type=media_type)


def read_text(body: bytes, url: str, content_type: str, headers: Iterable[tuple[str, str]]) -> Page:
    """The page in a plain text; its first line is its title, and its headers say what HEAD cannot."""
    headers = list(headers)
    text, _ = decode(body, content_type)
    lines = [line for line in (" ".join(line.split()) for line in text[:MAX_TEXT].splitlines()) if line]
    text = "\n".join(lines)
    return Page(
        url=url,
        title=lines[0][:MAX_TITLE] if lines else "",
        language=language("", text),
        media_type="text/plain",
        sections=(Section("", "", text),),
        directives=directives((), headers, AGENT, time.time()),
        canonical=canonical(Head(), headers, url, url),
    )
