"""HTML -> Page, in one parse."""

from collections.abc import Iterable
from typing import NamedTuple

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser

from engine.page import Page
from engine.robots import AGENT, directives
from engine.text.charset import decode
from engine.text.hostile import disarm
from engine.text.language import ENGLISH_SAMPLE, language
from engine.text.outlinks import base_url, outlinks
from engine.text.sections import BLOCK, read_sections

MAX_TITLE = 300  # characters; a result page shows some 60
MAX_DESCRIPTION = 1_000  # characters; a result page shows some 160
_NO_EVENTS = LexborDocumentOptions.WO_EVENTS.value  # with them, moving an element visits all that is in it


def read_html(body: bytes, url: str, content_type: str, headers: Iterable[tuple[str, str]]) -> Page:
    """The page in an HTML body that came from `url`, a canonical URL, with these headers."""
    headers = list(headers)
    tree = LexborHTMLParser(_source(body, content_type), options=_NO_EVENTS)
    head = _read_head(tree)
    links = outlinks(tree, base_url(url, head.base), head.refresh)  # before the navigation is taken out
    sections = read_sections(tree)
    beginning = " ".join(f"{section.heading} {section.text[:ENGLISH_SAMPLE]}" for section in sections[:5])
    return Page(
        url=url,
        title=head.title,
        description=head.description,
        language=language(head.language or _first(headers, "content-language"), beginning),
        sections=sections,
        links=links,
        directives=directives(head.metas, headers, AGENT),
    )


def _source(body: bytes, content_type: str) -> bytes:
    """The body in UTF-8, disarmed, without the character that is to part its blocks."""
    text, _ = decode(body, content_type)
    return disarm(text.encode()).replace(BLOCK.encode(), b" ")


class _Head(NamedTuple):
    """What HEAD says, as an HTML5 parser sees it (C24)."""

    title: str
    description: str
    language: str
    base: str
    refresh: str
    metas: list[tuple[str, str]]  # (name, content)


def _read_head(tree: LexborHTMLParser) -> _Head:
    """What the elements of HEAD say; of several of a kind the first counts, but all METAs are kept."""
    title = base = ""
    metas: list[tuple[str, str]] = []
    pragmas: list[tuple[str, str]] = []
    for node in tree.head.css("title,base[href],meta[content]") if tree.head else ():
        attributes = node.attributes
        if node.tag == "title":
            title = title or " ".join(node.text().split())
        elif node.tag == "base":
            base = base or (attributes["href"] or "").strip()
        else:
            content = " ".join((attributes["content"] or "").split())
            metas.append((attributes.get("name") or "", content))
            pragmas.append((attributes.get("http-equiv") or "", content))
    root = tree.root.attributes if tree.root else {}
    return _Head(
        title=title[:MAX_TITLE],
        description=_first(metas, "description")[:MAX_DESCRIPTION],
        language=root.get("lang") or root.get("xml:lang") or _first(pragmas, "content-language"),
        base=base,
        refresh=_first(pragmas, "refresh"),
        metas=metas,
    )


def _first(pairs: Iterable[tuple[str, str]], name: str) -> str:
    """The value of the first pair of that name, in any case; '' without one."""
    return next((value for key, value in pairs if key.lower() == name), "")
