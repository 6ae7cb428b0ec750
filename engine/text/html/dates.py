"""Finds when a page was published and last changed."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from engine.robots import parse_sitemap_date

EARLIEST = 631_152_000.0  # seconds since 1970: 1990, before the first web page
SLACK = 86_400.0  # seconds that a date may lie ahead: clocks, and zones that nobody wrote
MAX_WRITTEN = 40  # characters of a date; RFC 9110's longest has 33
MAX_SCRIPT = 256 * 1024  # characters of a piece of JSON-LD
MAX_SCRIPTS = 8  # pieces of a page
MAX_ITEMS = 100  # items of a piece that are looked at
MAX_TIMES = 50  # elements TIME that are looked at

_PUBLISHED = """
    article:published_time datepublished og:published_time citation_publication_date dcterms.issued
    dc.date.issued dcterms.created dc.date.created dcterms.date dc.date date pubdate publishdate publish-date
    publish_date parsely-pub-date sailthru.date article.published
"""
_MODIFIED = """
    article:modified_time datemodified og:updated_time dcterms.modified dc.date.modified last-modified
    lastmod revised article.updated
"""
PUBLISHED, MODIFIED = tuple(_PUBLISHED.split()), tuple(_MODIFIED.split())
"""Names of METAs, in lower case, the most exact ones first."""

_LD = 'script[type="application/ld+json" i]'
_TIME = "time[datetime]"
_WRITTEN = re.compile(rb"datetime\s*=")  # pages about dates have the word alone
_ROOMS = "article time[datetime],main time[datetime],[role=main] time[datetime]"

WRITTEN_DATE = re.compile(
    r"(?<!\d)(?:\d{1,2}([./-])\d{1,2}\1(?:19|20)\d\d|(?:19|20)\d\d([./-])\d{1,2}\2\d{1,2}"
    r"|(?:19|20)\d\d年\d{1,2}月(?:\d{1,2}日)?|\d{1,2}\.? (?:de )?\w{3,12}\.?,? (?:de )?[12۱۲]\d{3}"
    r"|\b\w{3,12}\.? \d{1,2},? (?:19|20)\d\d)(?!\d)"
)
"""A date as people write it, in most languages: a day, a month in digits or letters, a year."""


class PageDates(NamedTuple):
    """Seconds since 1970, UTC; None where a page does not say, or says nonsense."""

    published: float | None = None
    modified: float | None = None


def parse_date(value: object, now: float) -> float | None:
    """Parses a date (ISO 8601, RFC 9110, 5.6.7); None for what is none, lies ahead or before the web."""
    if not isinstance(value, str) or len(value) > MAX_WRITTEN:
        return None
    text = value.strip()
    if len(text) == 8 and text.isascii() and text.isdigit():
        text = f"{text[:4]}-{text[4:6]}-{text[6:]}"
    elif text[4:5] == "/":
        text = text.replace("/", "-")
    found = parse_sitemap_date(_strip_date_spaces(text))
    seconds = found.timestamp() if found else 0.0
    return seconds if EARLIEST <= seconds <= now + SLACK else None


def _strip_date_spaces(text: str) -> str:
    """Strips the space too many of a date as W3C writes it: `2024-03-02 08:15:00 +0100`."""
    day, _, rest = text.partition(" ")
    return f"{day}T{rest.replace(' ', '')}" if rest and day[4:5] == "-" == day[7:8] else text


def find_dates(
    tree: LexborHTMLParser, source: bytes, metas: Mapping[str, str], last_modified: str, now: float
) -> PageDates:
    """Finds dates by META, then JSON-LD, then TIME; the header has only changes. `source` is the tree's."""
    published = _first_date([metas[name] for name in PUBLISHED if name in metas], now)
    modified = _first_date([metas[name] for name in MODIFIED if name in metas], now)
    if (published is None or modified is None) and b"ld+json" in source:
        found = _json_ld_items(tree)
        published = published or _first_date((item.get("datePublished") for item in found), now)
        modified = modified or _first_date((item.get("dateModified") for item in found), now)
    if (published is None or modified is None) and b"datetime" in source and _WRITTEN.search(source):
        published, modified = _dates_from_time(tree, published, modified, now)
    modified = modified or parse_date(last_modified, now)
    return PageDates(published, modified if modified and modified >= (published or 0.0) else None)


def _first_date(texts: Iterable[object], now: float) -> float | None:
    return next((found for one in texts if (found := parse_date(one, now))), None)


def _json_ld_items(tree: LexborHTMLParser) -> Sequence[Mapping[str, Any]]:
    """Reads what JSON-LD says of the page: the items at the top, or in a graph at the top."""
    found: list[Mapping[str, Any]] = []
    for script in tree.css(_LD)[:MAX_SCRIPTS]:
        text = script.text()
        try:
            top = json.loads(text, strict=False) if len(text) <= MAX_SCRIPT else None
        except (ValueError, RecursionError):
            continue
        for item in _as_list(top):
            graph = item.get("@graph") if isinstance(item, dict) else None
            found += [one for one in [item, *_as_list(graph)] if isinstance(one, dict)]
    return found[:MAX_ITEMS]


def _as_list(value: object) -> list[Any]:
    if value is None:
        return []
    return value[:MAX_ITEMS] if isinstance(value, list) else [value]


def _dates_from_time(
    tree: LexborHTMLParser, published: float | None, modified: float | None, now: float
) -> PageDates:
    """Reads TIME as it calls itself; one that says nothing is when the text around it was published."""
    plain: list[LexborNode] = []
    for node in tree.css(_TIME)[:MAX_TIMES]:
        attributes = node.attributes
        name = f"{attributes.get('itemprop') or ''} {attributes.get('class') or ''}".casefold()
        if "modified" in name or "updated" in name:
            modified = modified or parse_date(attributes["datetime"], now)
        elif "published" in name or "pubdate" in attributes:
            published = published or parse_date(attributes["datetime"], now)
        else:
            plain.append(node)
    if published is None and plain:
        rooms = {node.mem_id for node in tree.css(_ROOMS)}
        of_text = [node for node in plain if node.mem_id in rooms] or (plain if len(plain) == 1 else [])
        published = _first_date((node.attributes["datetime"] for node in of_text[:1]), now)
    return PageDates(published, modified)
