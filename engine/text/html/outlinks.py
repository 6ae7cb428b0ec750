"""Extracts a page's links and their anchor texts."""

from collections.abc import Container, Iterable
from functools import lru_cache
from typing import NamedTuple

from selectolax.lexbor import LexborNode

from engine.model import Link
from engine.text.charset import encode_query, has_utf_8_queries
from engine.text.html.anchors import find_named_around
from engine.text.html.elements import ANCHOR, element_text
from engine.url import canonicalize

MAX_LINKS = 5_000  # distinct outlinks of a page
MAX_FOUND = 20_000  # links looked at, the same ones again counted
MAX_ANCHOR = 200  # characters of anchor text of one link
C0_OR_SPACE = "".join(
    map(chr, range(0x21))
)  # around a URL (URL Standard, 4.4); other spaces are a part of it
MAX_HREF = 4_096  # characters, twice the longest URL that is fetched (C29)
MAX_RESOLVED = 16_384  # links remembered, some 6 MB: those in the templates of the sites being crawled

_HEADERLINK = "headerlink"  # Sphinx, MkDocs; behind captions as well
_CALLED_SIGNS = ("permalink", "anchor")  # httpd, Rust, GitHub, MkDocs, mdBook; parts of a class
_NOFOLLOW = frozenset(["nofollow", "ugc", "sponsored"])


class LinkBase(NamedTuple):
    """What a page's links refer to, and the charset in which a browser sends their queries."""

    url: str
    charset: str = "utf-8"


def resolve_base(url: str, charset: str, href: str) -> LinkBase:
    """Resolves the base of a page: `href` of BASE, or else the page's own URL (requirement 13)."""
    return LinkBase(resolve_link(LinkBase(url, charset), href) or url, charset)


def resolve_link(base: LinkBase, href: str) -> str:
    """Resolves a link to its canonical URL, '' if it is none."""
    href = encode_query(href.strip(C0_OR_SPACE), base.charset)
    return _canonicalize_link(base.url, href) if href and len(href) <= MAX_HREF else ""


Found = tuple[int, str, str, bool]
"""A link where it stands in the tree: the address of its element, URL, anchor text, rel=nofollow."""


class FoundLinks(NamedTuple):
    """Links in their order, signs in and behind headings that link to these, and A without an id that have a
    name.
    """

    links: list[Found]
    signs: list[LexborNode]
    named: list[LexborNode]


def find_links(elements: Iterable[LexborNode], base: LinkBase) -> FoundLinks:
    """Finds the links to documents that could be fetched; forms are none (requirement 287)."""
    directory = base.url[: base.url.partition("?")[0].rindex("/") + 1]  # pages in one share what was resolved
    foreign = not has_utf_8_queries(base.charset)
    found: list[Found] = []
    signs: list[LexborNode] = []
    named: list[LexborNode] = []
    for node in elements:
        attributes = node.attributes
        if "name" in attributes and not attributes.get("id"):
            named.append(node)
        href = attributes.get("href") or attributes.get("src") or ""
        if href[:1] == "#":
            if _is_sign(node, attributes.get("class") or ""):
                signs.append(node)
            continue
        href = href.partition("#")[0].strip(C0_OR_SPACE)
        if foreign and not href.isascii():
            href = encode_query(href, base.charset)
        if not href or len(href) > MAX_HREF:
            continue
        if target := _canonicalize_link(base.url if href[0] == "?" else directory, href):
            anchor = element_text(node) if node.tag_id in ANCHOR else ""
            rel = attributes.get("rel")
            nofollow = rel is not None and not _NOFOLLOW.isdisjoint(rel.lower().split())
            found.append(
                (node.mem_id, target, (anchor or _alternative_text(node, attributes))[:MAX_ANCHOR], nofollow)
            )
            if len(found) >= MAX_FOUND:
                break
    return FoundLinks(found, signs, named)


def collect_outlinks(
    found: Iterable[Found], beside: Container[int], alternates: Iterable[str], refresh: str
) -> tuple[Link, ...]:
    """Collects outlinks in order, then other languages, `refresh` last; on the same words once.

    Such a one is nofollow if it is so wherever it stands, and in the main text if it is so anywhere;
    `beside` has the places that are not.
    """
    links: dict[tuple[str, str], tuple[bool, bool]] = {}
    for place, url, anchor, nofollow in found:
        link, main = (url, anchor), place not in beside
        if known := links.get(link):
            links[link] = known[0] and nofollow, known[1] or main
        elif len(links) < MAX_LINKS:
            links[link] = nofollow, main
    for url in filter(None, alternates):
        links.setdefault((url, ""), (False, False))
    if refresh:
        links.setdefault((refresh, ""), (False, True))
    return tuple([Link(url, anchor, nofollow, main) for (url, anchor), (nofollow, main) in links.items()])


def _is_sign(node: LexborNode, classes: str) -> bool:
    """Tells whether a link within the page is a sign by which readers get the address of a heading or term.

    It says no word, or it is called so and the heading says more.
    """
    if _HEADERLINK in classes:
        return True
    text = element_text(node)
    is_silent = not any(map(str.isalnum, text))
    if not is_silent and not any(name in classes for name in _CALLED_SIGNS):
        return False
    around = find_named_around(node)
    return around is not None and (is_silent or element_text(around) != text)


@lru_cache(maxsize=MAX_RESOLVED)
def _canonicalize_link(base: str, href: str) -> str:
    try:
        return canonicalize(href, base)
    except ValueError:
        return ""


def _alternative_text(node: LexborNode, attributes: dict[str, str | None]) -> str:
    """Returns the words of a link that has none of its own: of its picture, or of its attributes."""
    if node.tag_id in ANCHOR:
        picture = node.css_first("img[alt]") if node.first_child is not None else None
        text = picture.attributes["alt"] if picture is not None else ""
    else:
        text = attributes.get("alt") or attributes.get("title")
    return " ".join((text or "").split())
