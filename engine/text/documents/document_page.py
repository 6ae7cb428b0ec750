"""Builds the page of a document from its text, what it says of itself, and what its server does."""

import time
from typing import NamedTuple

from engine.model import Link, Page
from engine.robots import AGENT, directives
from engine.text.documents.print_layout import choose_title
from engine.text.documents.source import DocumentSource
from engine.text.documents.text_builder import TextBuilder
from engine.text.html import Head, LinkBase, find_canonical, first_value, resolve_link
from engine.text.language import detect_language

BEGINNING = 5  # sections that tell the language
SHARE = 0.5  # of the seconds for a page: what is read of a document until then is its page


class DocumentProperties(NamedTuple):
    """What a document says of itself; dates in seconds since 1970, UTC."""

    title: str = ""
    language: str = ""  # a tag of BCP 47
    published: float | None = None
    modified: float | None = None


def build_page(
    source: DocumentSource, text: TextBuilder, said: DocumentProperties, heading: str, *, cut: bool
) -> Page:
    """Builds the page; `heading` is its title where the document has none that a person chose."""
    url, headers = source.url, source.headers
    sections = text.sections()
    shown = " ".join(f"{section.heading} {section.text}" for section in sections[:BEGINNING])
    links = {
        (target, anchor): None
        for href, anchor in text.links
        if (target := resolve_link(LinkBase(url), href)) and target != url
    }
    return Page(
        url=url,
        title=choose_title(said.title, heading, url),
        language=detect_language(said.language or first_value(headers, "content-language"), shown),
        sections=sections,
        links=tuple(Link(target, anchor) for target, anchor in links),
        directives=directives((), headers, AGENT, time.time()),
        canonical=find_canonical(Head(), headers, url, LinkBase(url)),
        published=said.published,
        modified=said.modified,
        cut=cut,
    )


def first_heading(text: TextBuilder) -> str:
    """Returns the first heading of a text, or else its first line."""
    return next((one.heading for one in text.sections() if one.heading), "") or text.first
