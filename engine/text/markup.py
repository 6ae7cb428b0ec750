"""HTML -> Page, in one parse."""

import time
from collections.abc import Iterable

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser

from engine.page import Page
from engine.robots import AGENT, directives
from engine.text.charset import decode
from engine.text.head import canonical, first, read_head, refresh
from engine.text.hostile import disarm
from engine.text.language import WORDS_SAMPLE, language
from engine.text.outlinks import base_url, outlinks
from engine.text.sections import BLOCK, read_sections

_NO_EVENTS = LexborDocumentOptions.WO_EVENTS.value  # with them, moving an element visits all that is in it


def read_html(body: bytes, url: str, content_type: str, headers: Iterable[tuple[str, str]]) -> Page:
    """The page in an HTML body that came from `url`, a canonical URL, with these headers."""
    headers = list(headers)
    tree = LexborHTMLParser(_source(body, content_type), options=_NO_EVENTS)
    head = read_head(tree)
    asked = directives(head.metas, headers, AGENT, time.time())
    base = base_url(url, head.base)
    onward = refresh(head, headers, url, base)
    links = outlinks(tree, base, onward.url)  # before the navigation is taken out
    sections = read_sections(tree)
    beginning = " ".join(f"{section.heading} {section.text[:WORDS_SAMPLE]}" for section in sections[:5])
    return Page(
        url=url,
        title=head.title,
        description=head.description,
        language=language(head.language or first(headers, "content-language"), beginning),
        sections=sections,
        links=links,
        directives=asked,
        keywords=head.keywords,
        canonical=canonical(head, headers, url, base),
        moved_to=onward.url if onward.moves and asked.follow else "",  # C39
        revisit_seconds=head.revisit_seconds,
    )


def _source(body: bytes, content_type: str) -> bytes:
    """The body in UTF-8, disarmed, without the character that is to part its blocks."""
    text, _ = decode(body, content_type)
    return disarm(text.encode()).replace(BLOCK.encode(), b" ")
