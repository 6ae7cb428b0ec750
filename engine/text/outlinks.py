"""Where the links of a page go, and on which words they stand."""

from functools import lru_cache

from selectolax.lexbor import LexborHTMLParser, LexborNode

from engine.page import Link
from engine.text.sections import words
from engine.url import canonicalize

MAX_LINKS = 5_000  # distinct outlinks of a page
MAX_ANCHOR = 200  # characters of anchor text of one link
MAX_HREF = 4_096  # characters, twice the longest URL that is fetched (C29)
MAX_RESOLVED = 16_384  # links remembered, some 6 MB: those in the templates of the sites being crawled

_NOFOLLOW = frozenset(["nofollow", "ugc", "sponsored"])


def base_url(url: str, href: str) -> str:
    """What relative links refer to: `href` of BASE, or else the page's own URL (requirement 13)."""
    return resolve(url, href) or url


def resolve(base: str, href: str) -> str:
    """The canonical URL of a link, '' if it is none."""
    href = href.strip()
    return _resolved(base, href) if href and len(href) <= MAX_HREF else ""


def outlinks(tree: LexborHTMLParser, base: str, refresh: str) -> tuple[Link, ...]:
    """Outlinks in order, `refresh` last; the same URL on the same words once, nofollow if always so.

    A link leads to another document that could be fetched. Forms are no links (requirement 287).
    """
    directory = base[: base.partition("?")[0].rindex("/") + 1]  # pages in one share what was resolved
    links: dict[tuple[str, str], bool] = {}  # (URL, anchor text) -> nofollow
    for node in tree.css("a,area,iframe,frame"):
        attributes = node.attributes
        href = (attributes.get("href") or attributes.get("src") or "").partition("#")[0].strip()
        if not href or len(href) > MAX_HREF:
            continue
        if target := _resolved(base if href[0] == "?" else directory, href):
            link = target, _anchor(node, attributes)[:MAX_ANCHOR]
            links[link] = links.get(link, True) and _nofollow(attributes.get("rel"))
            if len(links) >= MAX_LINKS:
                break
    if refresh:
        links.setdefault((refresh, ""), False)
    return tuple(Link(url, anchor, nofollow) for (url, anchor), nofollow in links.items())


@lru_cache(maxsize=MAX_RESOLVED)
def _resolved(base: str, href: str) -> str:
    try:
        return canonicalize(href, base)
    except ValueError:
        return ""


def _anchor(node: LexborNode, attributes: dict[str, str | None]) -> str:
    """The words of a link: its own, or those of its picture."""
    if node.tag != "a":
        return " ".join((attributes.get("alt") or attributes.get("title") or "").split())
    if anchor := words(node):
        return anchor
    picture = node.css_first("img[alt]")
    return " ".join((picture.attributes["alt"] or "").split()) if picture is not None else ""


def _nofollow(rel: str | None) -> bool:
    return rel is not None and not _NOFOLLOW.isdisjoint(rel.lower().split())
