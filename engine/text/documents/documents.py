"""Reads a response's body by its media type."""

import re
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache
from importlib import import_module

from engine.config import ReadingLimits
from engine.errors import PageError
from engine.formats import BY_MEDIA_TYPE, XHTML
from engine.model import Page, Section
from engine.robots import AGENT, directives
from engine.text.charset import decode
from engine.text.documents.media_type import parse_media_type, sniff_media_type
from engine.text.documents.source import DocumentSource
from engine.text.html import MAX_TEXT, MAX_TITLE, Head, LinkBase, find_canonical, read_html
from engine.text.language import detect_language

_EMPTY_ELEMENT = re.compile(rb"<([a-zA-Z][\w:-]*)((?:\s[^<>]*)?)/>")  # XML 1.0, 3.1
_CDATA = re.compile(rb"<!\[CDATA\[(.*?)(?:\]\]>|\Z)", re.DOTALL)  # XML 1.0, 2.7


def read_document(
    body: bytes,
    url: str,
    content_type: str,
    headers: Iterable[tuple[str, str]],
    allowed: ReadingLimits = ReadingLimits(),
    recognized: Mapping[int, str] = {},
) -> Page:
    """Reads the page in a body. Raises PageError('type') for a media type that is not read.

    Also for what its type promises and it is not: `broken`, `encrypted`, `too large`. `recognized`: what OCR
    has read of which pages.
    """
    media_type = sniff_media_type(content_type, body)
    if media_type not in allowed.types:
        raise PageError("type", media_type)
    source = DocumentSource(body, url, content_type, list(headers), allowed.seconds, recognized)
    page = load_reader(BY_MEDIA_TYPE[media_type].reader)(source)
    return page if page.media_type == media_type else replace(page, media_type=media_type)


@cache
def load_reader(name: str) -> Callable[[DocumentSource], Page]:
    """Imports a format's reader when its first document comes: most crawls meet no PDF, which takes 0.1 s."""
    module, _, function = name.partition(":")
    reader: Callable[[DocumentSource], Page] = getattr(import_module(module), function)
    return reader


def render_page(body: bytes, number: int) -> bytes:
    """Renders a page of a PDF, for OCR, as `engine.text.documents.pdf_picture` does. Raises PageError."""
    picture: bytes = import_module("engine.text.documents.pdf_picture").render_page(body, number)
    return picture


def read_markup(source: DocumentSource) -> Page:
    """Reads HTML and XHTML."""
    body = xhtml_to_html(source.body) if parse_media_type(source.content_type) == XHTML else source.body
    return read_html(body, source.url, source.content_type, source.headers)


def xhtml_to_html(body: bytes) -> bytes:
    """Rewrites XHTML as HTML: to its parser <script/> swallows the page, and CDATA is a comment."""
    body = _CDATA.sub(lambda section: section[1].replace(b"&", b"&amp;").replace(b"<", b"&lt;"), body)
    return _EMPTY_ELEMENT.sub(rb"<\1\2></\1>", body)


def read_text(source: DocumentSource) -> Page:
    """Reads a plain text; its first line is its title, and its headers say what HEAD cannot."""
    text, _ = decode(source.body, source.content_type)
    lines = [line for line in (" ".join(line.split()) for line in text[:MAX_TEXT].splitlines()) if line]
    shown = "\n".join(lines)
    return Page(
        url=source.url,
        title=lines[0].lstrip("# ")[:MAX_TITLE] if lines else "",  # as Markdown writes one
        language=detect_language("", shown),
        media_type="text/plain",
        sections=(Section("", "", shown),),
        directives=directives((), source.headers, AGENT, time.time()),
        canonical=find_canonical(Head(), source.headers, source.url, LinkBase(source.url)),
        cut=len(text) > MAX_TEXT,
    )
