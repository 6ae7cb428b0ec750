"""Reads metadata from HEAD, as an HTML5 parser sees it (C24), and from the headers that say the same."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser

from engine.text.html.outlinks import LinkBase, resolve_link
from engine.url import host_of, registrable_domain

Pairs = Sequence[tuple[str, str]]

MAX_TITLE = 300  # characters; a result page shows some 60
MAX_DESCRIPTION = 1_000  # characters; a result page shows some 160
MAX_KEYWORDS = 20  # phrases; longer lists are there to deceive (requirement 303)
MAX_KEYWORD = 60  # characters of a phrase
MAX_ALTERNATES = 200  # links to the page in other languages
MAX_REFRESH = 10  # seconds; a longer wait is a link, not a redirect (C39)

HOUR = 3_600.0  # seconds
DAY = 24 * HOUR
MIN_REVISIT = HOUR
MAX_REVISIT = 365 * DAY
_UNITS = {"hour": HOUR, "day": DAY, "week": 7 * DAY, "month": 30 * DAY, "year": 365 * DAY}
_REVISIT = re.compile(rf"([0-9]{{1,6}})\s*(?:({'|'.join(_UNITS)})s?)?", re.IGNORECASE)

# Elements that people paste into descriptions. List<String> is no markup.
_INLINE = "a|abbr|b|big|cite|code|em|font|i|img|q|s|small|span|strike|strong|sub|sup|tt|u"
_BLOCK = "blockquote|br|center|d[dlt]|div|h[1-6r]|li|ol|p|pre|t(?:able|body|[dhr])|ul"
_MARKUP = re.compile(rf"</?(?:{_INLINE}|({_BLOCK}))(?:[\s/][^<>]*)?>", re.IGNORECASE)
_BETWEEN_KEYWORDS = re.compile("[,;\u060c\u061b\u3001\uff0c\uff1b]")  # as Arabic and Chinese write them, too

# Not w3lib's: that one knows no comma, and is led astray by quotes.
_REFRESH = re.compile(
    r"\s*(?=[0-9.])([0-9]*+)[0-9.]*+\s*[;,\s]\s*(?:url\s*=\s*)?+([\"']?)(.*)", re.IGNORECASE | re.DOTALL
)
_LINK = re.compile(r'<([^<>]*)>((?:[^,"<]++|"[^"]*")*+)')  # RFC 8288, 3
_PARAMETER = re.compile(r';\s*([\w*-]+)\s*=\s*(?:"([^"]*)"|([^\s;,"]*))')
_ELEMENTS = ("meta", "link", "title", "base")
_OTHER_NAMES = ("http-equiv", "property", "itemprop")
_FRONT_PAGE = re.compile(r"/(?:(?:index|default|home)(?:\.\w+)?)?(?:\?.*)?", re.IGNORECASE | re.DOTALL)


_META, _LINK_TAG, _TITLE, _BASE_TAG = (LexborHTMLParser("").create_node(name).tag_id for name in _ELEMENTS)


class Head(NamedTuple):
    """What the elements of HEAD say; of several of a kind the first counts, but all METAs are kept."""

    title: str = ""
    language: str = ""
    base: str | None = None  # the first href of BASE, None without one
    refresh: str = ""  # content of META refresh
    canonicals: Sequence[str] = ()  # href of every LINK with rel=canonical
    alternates: Sequence[str] = ()  # href of every LINK to the page in another language
    metas: Pairs = ()  # (name in lower case, content)
    named: Mapping[str, str] = {}  # the first content of each name
    others: Mapping[str, str] = {}  # the same by http-equiv, property and itemprop

    @property
    def description(self) -> str:
        """Returns the owner's abstract, without markup (requirement 222)."""
        text = self.named.get("description", "")
        if "<" in text:
            text = " ".join(_MARKUP.sub(lambda tag: " " if tag[1] else "", text).split())
        return text[:MAX_DESCRIPTION]

    @property
    def keywords(self) -> str:
        """Returns the first of the owner's phrases, with commas between them (requirements 221, 303)."""
        phrases = _BETWEEN_KEYWORDS.split(self.named.get("keywords", ""), MAX_KEYWORDS)[:MAX_KEYWORDS]
        return ", ".join(short for phrase in phrases if (short := phrase.strip()[:MAX_KEYWORD].rstrip()))

    @property
    def revisit_seconds(self) -> float | None:
        """Returns the interval to the next visit wanted (requirement 224), None when nothing is said."""
        wish = _REVISIT.fullmatch(self.named.get("revisit-after", "").rstrip(" ."))
        seconds = int(wish[1]) * _UNITS[(wish[2] or "day").lower()] if wish else None
        if self.named.get("document-state", "").lower() == "dynamic":  # C35: a day at most
            seconds = DAY if seconds is None else min(seconds, DAY)
        return None if seconds is None else min(max(seconds, MIN_REVISIT), MAX_REVISIT)


class Refresh(NamedTuple):
    """Where a page sends its reader, '' for nowhere else, and after how many seconds."""

    url: str = ""
    seconds: int = 0

    @property
    def moves(self) -> bool:
        """Tells whether this is a redirect; a slower one is a link (C39)."""
        return bool(self.url) and self.seconds <= MAX_REFRESH


def read_head(tree: LexborHTMLParser) -> Head:
    """Reads HEAD, in one walk over it."""
    title, base = "", None
    canonicals: list[str] = []
    alternates: list[str] = []
    metas: list[tuple[str, str]] = []
    others: list[tuple[str, str]] = []
    for node in tree.head.traverse() if tree.head else ():
        tag = node.tag_id
        if tag == _META:
            attributes = node.attributes
            if (content := attributes.get("content")) is not None:
                content = " ".join(content.split())
                metas.append(((attributes.get("name") or "").strip().lower(), content))
                others += [(key.lower(), content) for name in _OTHER_NAMES if (key := attributes.get(name))]
        elif tag == _LINK_TAG:
            attributes = node.attributes
            rel = (attributes.get("rel") or "").lower().split()
            href = attributes.get("href") or ""
            if "canonical" in rel:
                canonicals.append(href)
            elif "hreflang" in attributes and "alternate" in rel:
                alternates.append(href)
        elif tag == _TITLE:
            title = title or " ".join(node.text().split())
        elif tag == _BASE_TAG:
            attributes = node.attributes
            base = attributes["href"] or "" if base is None and "href" in attributes else base
    root = tree.root.attributes if tree.root else {}
    return Head(
        title=title[:MAX_TITLE],
        language=root.get("lang") or root.get("xml:lang") or first_value(others, "content-language"),
        base=base,
        refresh=first_value(others, "refresh"),
        canonicals=canonicals,
        alternates=alternates[:MAX_ALTERNATES],
        metas=metas,
        named=dict(reversed(metas)),
        others=dict(reversed(others)),
    )


def first_value(pairs: Iterable[tuple[str, str]], name: str) -> str:
    """Returns the value of the first pair of that name, in any case; '' without one."""
    return next((value for key, value in pairs if key.lower() == name), "")


def find_refresh(head: Head, headers: Pairs, url: str, base: LinkBase) -> Refresh:
    """Finds where the Refresh header leads, or else META refresh: never both (requirements 82-84).

    HTML, 4.2.5.3, the shared declarative refresh steps.
    """
    wish = _REFRESH.match(first_value(headers, "refresh") or head.refresh)
    if not wish:
        return Refresh()
    seconds, quote, href = wish.groups()
    target = resolve_link(base, href.partition(quote)[0] if quote else href)
    # Ten digits are longer than any wait, and int() refuses thousands of them.
    return Refresh(target, int(seconds[:10] or 0)) if target != url else Refresh()


def find_canonical(head: Head, headers: Pairs, url: str, base: LinkBase) -> str:
    """Finds the URL of the same site that the owner prefers to `url`; '' when it is this one or unclear.

    LINK is believed before the Link header, that one before META URL (requirements 60, 226; RFC 6596).
    """
    claims = (
        {resolve_link(base, href) for href in head.canonicals}
        or {resolve_link(LinkBase(url), href) for href in _find_canonical_links(headers)}
        or {resolve_link(base, head.named.get("url", ""))}
    )
    target = claims.pop()
    if claims or not target or target == url or registrable_domain(target) != registrable_domain(url):
        return ""
    # A template that names the front page on all pages means none of them.
    if target == f"{host_of(target)}/" and not _FRONT_PAGE.fullmatch(url, len(host_of(url))):
        return ""
    return target


def _find_canonical_links(headers: Pairs) -> Iterator[str]:
    """Yields the targets of `Link: <...>; rel=canonical`; one with an anchor is about another page."""
    for name, value in headers:
        if name.lower() == "link":
            for href, parameters in _LINK.findall(value):
                values = {
                    key.lower(): quoted or plain for key, quoted, plain in _PARAMETER.findall(parameters)
                }
                if "anchor" not in values and "canonical" in values.get("rel", "").lower().split():
                    yield href
