"""Reads an HTML page into a Page, in one parse."""

import time
from collections.abc import Iterable

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser

from engine.model import Page
from engine.robots import AGENT, directives
from engine.text.charset import to_utf_8
from engine.text.html.dates import find_dates
from engine.text.html.elements import BLOCK
from engine.text.html.head import find_canonical, find_refresh, first_value, read_head
from engine.text.html.hostile import disarm
from engine.text.html.outlinks import collect_outlinks, resolve_base, resolve_link
from engine.text.html.shadow_trees import flatten_shadow_trees
from engine.text.html.split import PageTraits, split_page
from engine.text.html.strip_markup import strip_highlighting, strip_misnested_noscript
from engine.text.language import WORDS_SAMPLE, detect_language

BEGINNING = 50  # sections that tell the language: those of a manual's functions are short
_NO_EVENTS = LexborDocumentOptions.WO_EVENTS.value  # with them, moving an element visits all that is in it


def read_html(body: bytes, url: str, content_type: str, headers: Iterable[tuple[str, str]]) -> Page:
    """Reads an HTML body that came from `url`, a canonical URL, with these headers."""
    headers = list(headers)
    whole, charset = to_utf_8(body, content_type)
    whole = flatten_shadow_trees(whole)
    source = _disarm_source(strip_highlighting(whole))
    tree = _parse(source)
    if _may_be_misnested(tree, source):
        whole = strip_misnested_noscript(whole)
        source = _disarm_source(strip_highlighting(whole))
        tree = _parse(source)
    head = read_head(tree)
    now = time.time()
    robots = directives(head.metas, headers, AGENT, now)
    metas = {**head.named, **head.others}
    published, modified = find_dates(tree, source, metas, first_value(headers, "last-modified"), now)
    base = resolve_base(url, charset, _find_base(tree, source) if head.base is None else head.base)
    onward = find_refresh(head, headers, url, base)
    is_dated = published is not None or head.others.get("og:type") == "article"
    traits = PageTraits(head.title, _may_hide(source), is_dated)
    found = split_page(lambda: _parse(_disarm_source(whole)), tree, base, traits)
    sections = found.sections
    alternates = [resolve_link(base, href) for href in head.alternates]
    beginning = " ".join(
        f"{section.heading} {section.text[:WORDS_SAMPLE]}" for section in sections[:BEGINNING]
    )
    return Page(
        url=url,
        title=head.title,
        description=head.description,
        language=detect_language(head.language or first_value(headers, "content-language"), beginning),
        sections=sections,
        links=collect_outlinks(found.links, found.beside, alternates, onward.url),
        published=published,
        modified=modified,
        rest=found.rest,
        directives=robots,
        keywords=head.keywords,
        canonical=find_canonical(head, headers, url, base),
        moved_to=onward.url if onward.moves and robots.follow else "",  # C39
        revisit_seconds=head.revisit_seconds,
    )


def _find_base(tree: LexborHTMLParser, source: bytes) -> str:
    """Finds the href of a BASE outside of HEAD: browsers go by the first of a page, wherever it is."""
    there = any(sign in source for sign in (b"<base", b"<BASE", b"<Base"))
    found = tree.css_first("base[href]") if there else None
    return (found.attributes["href"] if found else None) or ""


def _parse(source: bytes) -> LexborHTMLParser:
    return LexborHTMLParser(source, options=_NO_EVENTS)


def _may_be_misnested(tree: LexborHTMLParser, source: bytes) -> bool:
    """Tells whether a NOSCRIPT may have taken in all what follows it in its parent."""
    there = any(sign in source for sign in (b"<noscript", b"<NOSCRIPT", b"<Noscript", b"<NoScript"))
    return there and any(
        node.next is None and node.first_child is not None for node in tree.css("body noscript")
    )


def _may_hide(source: bytes) -> bool:
    """Tells whether an attribute may hide something: to look at all elements costs ten times as much."""
    return _has_heading_sign(source) or _has_heading_sign(source.lower())


def _has_heading_sign(source: bytes) -> bool:
    return any(sign in source for sign in (b"style=", b"hidden", b"<dialog", b"style =", b"style\n="))


def _disarm_source(source: bytes) -> bytes:
    """Disarms a source, without the character that is to part its blocks."""
    return disarm(source).replace(BLOCK.encode(), b" ")
