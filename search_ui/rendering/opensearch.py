"""Describes Lycosa to programs that know OpenSearch 1.1, and renders hits as RSS 2.0."""

import re
from collections.abc import Sequence
from html import escape
from xml.etree import ElementTree as Xml  # it only writes here, so nothing of a stranger's is parsed

from engine.model import Hit, Results, SearchFilters
from engine.suggest import Completion
from search_ui.rendering.formatting import (
    as_web_link,
    build_search_url,
    encode_query,
    list_fields,
    split_breadcrumbs,
)
from search_ui.server import build_own_url

DESCRIPTION = "/opensearch.xml"
FEED = "/search.rss"
DESCRIPTION_TYPE = "application/opensearchdescription+xml"
FEED_TYPE = "application/rss+xml"
SUGGESTIONS_TYPE = "application/x-suggestions+json"

OPENSEARCH = "http://a9.com/-/spec/opensearch/1.1/"
ATOM = "http://www.w3.org/2005/Atom"
Xml.register_namespace("opensearch", OPENSEARCH)
Xml.register_namespace("atom", ATOM)

# Which characters no XML 1.0 document has, not even escaped (section 2.2, Char), lone surrogates included.
_NO_CHARACTER = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# What is asked for, as a template; what has a ? may be left empty (OpenSearch 1.1, URL template syntax).
_TEMPLATES = (
    ("results", "text/html", "/search?q={searchTerms}&page={startPage?}"),
    ("results", FEED_TYPE, FEED + "?q={searchTerms}&page={startPage?}&size={count?}"),
    ("results", "application/json", "/api/search?q={searchTerms}&page={startPage?}&size={count?}"),
    ("suggestions", SUGGESTIONS_TYPE, "/api/suggest?q={searchTerms}"),
    ("self", DESCRIPTION_TYPE, DESCRIPTION),
)


def build_feed_url(typed: str, choice: SearchFilters) -> str:
    """Builds the URL of the first hits as RSS, with the filters and in the order in which they are shown."""
    return f"{build_own_url(FEED)}?{encode_query(list_fields(typed, choice))}"


def format_description(origin: str) -> bytes:
    """Formats the OpenSearch description of the search page at an origin (RFC 6454)."""
    root = Xml.Element("OpenSearchDescription", xmlns=OPENSEARCH)
    _add(root, "ShortName", "Lycosa")  # at most 16 characters
    _add(root, "Description", "Search the pages that Lycosa has read")
    _add(root, "InputEncoding", "UTF-8")
    _add(root, "OutputEncoding", "UTF-8")
    _add(root, "Image", origin + build_own_url("/static/favicon.svg"), type="image/svg+xml")
    for rel, media_type, template in _TEMPLATES:
        _add(root, "Url", rel=rel, type=media_type, template=origin + build_own_url(template))
    return _document(root)


def format_suggestions(typed: str, found: Sequence[Completion], origin: str) -> list[object]:
    """Formats suggestions: [typed, completions, descriptions, URLs] (OpenSearch Suggestions 1.0).

    A completion that one page is called has that page's address, described as people read it, or the title of
    the page on which it is a section; any other leads to its hits, and needs no description.
    """
    links = [as_web_link(one.address) for one in found]
    return [
        typed,
        [one.text for one in found],
        [
            one.page_title or " › ".join(split_breadcrumbs(link)) if link else ""
            for one, link in zip(found, links, strict=True)
        ],
        [link or origin + build_search_url(one.text) for one, link in zip(found, links, strict=True)],
    ]


def format_rss(results: Results, origin: str) -> bytes:
    """Formats one page of hits as RSS 2.0 with OpenSearch's response elements."""
    root = Xml.Element("rss", version="2.0")
    channel = Xml.SubElement(root, "channel")
    _add(channel, "title", f"{results.query} – Lycosa")
    _add(channel, "link", origin + build_search_url(results.query, results.page, results.choice))
    _add(channel, "description", f"Results for {results.query}")
    own = origin + build_feed_url(results.query, results.choice)
    _add(channel, f"{{{ATOM}}}link", rel="self", type=FEED_TYPE, href=own)
    _add(
        channel,
        f"{{{ATOM}}}link",
        rel="search",
        type=DESCRIPTION_TYPE,
        href=origin + build_own_url(DESCRIPTION),
    )
    _add(channel, f"{{{OPENSEARCH}}}totalResults", str(results.total))
    _add(channel, f"{{{OPENSEARCH}}}startIndex", str((results.page - 1) * results.size + 1))
    _add(channel, f"{{{OPENSEARCH}}}itemsPerPage", str(results.size))
    terms = {"searchTerms": results.query, "startPage": str(results.page)}
    _add(channel, f"{{{OPENSEARCH}}}Query", role="request", **terms)
    _add_items(channel, results.hits)
    return _document(root)


def _add_items(channel: Xml.Element, hits: Sequence[Hit]) -> None:
    for hit in hits:
        item = Xml.SubElement(channel, "item")
        _add(item, "title", hit.title or hit.url)
        if as_web_link(hit.url):
            _add(item, "link", hit.link)
        _add(item, "guid", hit.url, isPermaLink="false")
        # Feed readers take it for HTML, so text is escaped once for HTML, once for XML.
        _add(item, "description", escape(hit.snippet))


def _add(parent: Xml.Element, tag: str, text: str = "", **attributes: str) -> None:
    legible = {name: _NO_CHARACTER.sub("", value) for name, value in attributes.items()}
    Xml.SubElement(parent, tag, legible).text = _NO_CHARACTER.sub("", text) or None


def _document(root: Xml.Element) -> bytes:
    document: bytes = Xml.tostring(root, encoding="utf-8", xml_declaration=True)
    return document
