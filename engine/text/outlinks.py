"""Where the links of a page go, and on which words they stand."""

import re
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
# Not w3lib's: that one knows no comma, and is led astray by quotes.
_REFRESH = re.compile(r"\s*[0-9.]+\s*[;,\s]\s*(?:url\s*=\s*)?([\"']?)(.+)", re.IGNORECASE | re.DOTALL)


def base_url(url: str, href: str) -> str:
    """What relative links refer to: `href` of BASE, or else the page's own URL (requirement 13)."""
    return _resolved(url, href) or url if len(href) <= MAX_HREF else url


def outlinks(tree: LexborHTMLParser, base: str, refresh: str) -> tuple[Link, ...]:
    """Outlinks in order, META refresh last; the same URL on the same words once, nofollow if always so.

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
    if target := _refresh_target(refresh, base):
        links.setdefault((target, ""), False)
    return tuple(Link(url, anchor, nofollow) for (url, anchor), nofollow in links.items())


@lru_cache(maxsize=MAX_RESOLVED)
def _resolved(base: str, href: str) -> str:
    """The canonical URL of a link, '' if it is none."""
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


def _refresh_target(content: str, base: str) -> str:
    """Where META refresh leads (requirements 82, 83; HTML, 4.2.5.3, refresh state), '' if nowhere else."""
    refresh = _REFRESH.match(content[:MAX_HREF])
    if not refresh:
        return ""
    quote, href = refresh.groups()
    target = _resolved(base, href.partition(quote)[0] if quote else href)
    return target if target != base else ""
