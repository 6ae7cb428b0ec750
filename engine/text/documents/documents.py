"""Reads a response's body by its media type."""

import re
import time
from collections.abc import Iterable
from dataclasses import replace

from engine.config import ReadingLimits
from engine.errors import PageError
from engine.formats import DOCX, HTML, PDF, XHTML
from engine.model import Page, Section
from engine.robots import AGENT, directives
from engine.text.charset import decode
from engine.text.documents.media_type import type_of
from engine.text.html import MAX_TEXT, MAX_TITLE, Base, Head, canonical, read_html
from engine.text.language import detect_language

_EMPTY_ELEMENT = re.compile(rb"<([a-zA-Z][\w:-]*)((?:\s[^<>]*)?)/>")  # XML 1.0, 3.1
_CDATA = re.compile(rb"<!\[CDATA\[(.*?)(?:\]\]>|\Z)", re.DOTALL)  # XML 1.0, 2.7


def read(
    body: bytes,
    url: str,
    content_type: str,
    headers: Iterable[tuple[str, str]],
    allowed: ReadingLimits = ReadingLimits(),
) -> Page:
    """The page in a body. Raises PageError('type') for a media type that is not read.

    Also for what its type promises and it is not: `broken`, `encrypted`, `too large`.
    """
    headers = list(headers)
    media_type = type_of(content_type, body)
    if media_type not in allowed.types:
        raise PageError("type", media_type)
    if media_type in (HTML, XHTML):
        body = as_html(body) if media_type == XHTML else body
        page = read_html(body, url, content_type, headers)
    elif media_type == PDF:
        from engine.text.documents.pdf import (
            read_pdf,  # here, because most crawls meet none and it takes 0.1 s
        )

        page = read_pdf(body, url, headers, allowed.seconds)
    elif media_type == DOCX:
        from engine.text.documents.docx import read_docx

        page = read_docx(body, url, headers, allowed.seconds)
    else:
        page = read_text(body, url, content_type, headers)
    return page if page.media_type == media_type else replace(page, media_type=media_type)


def as_html(body: bytes) -> bytes:
    """XHTML in the words of HTML: to its parser <script/> swallows the page, and CDATA is a comment."""
    body = _CDATA.sub(lambda section: section[1].replace(b"&", b"&amp;").replace(b"<", b"&lt;"), body)
    return _EMPTY_ELEMENT.sub(rb"<\1\2></\1>", body)


def read_text(body: bytes, url: str, content_type: str, headers: Iterable[tuple[str, str]]) -> Page:
    """The page in a plain text; its first line is its title, and its headers say what HEAD cannot."""
    headers = list(headers)
    text, _ = decode(body, content_type)
    lines = [line for line in (" ".join(line.split()) for line in text[:MAX_TEXT].splitlines()) if line]
    shown = "\n".join(lines)
    return Page(
        url=url,
        title=lines[0].lstrip("# ")[:MAX_TITLE] if lines else "",  # as Markdown writes one
        language=detect_language("", shown),
        media_type="text/plain",
        sections=(Section("", "", shown),),
        directives=directives((), headers, AGENT, time.time()),
        canonical=canonical(Head(), headers, url, Base(url)),
        cut=len(text) > MAX_TEXT,
    )
