"""Lists the forms of sitemaps and feeds in XML: where entries stand, and which element is which field.

These are urlset and sitemapindex (sitemaps.org), RSS 0.91 to 2.0, Atom 0.3 and 1.0, and OPML, which lists
feeds.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

PERMALINK = "permalink"  # a field that may become loc

_SITEMAPS_ORG = frozenset(
    f"{scheme}://{schemas}"
    for scheme in ("http", "https")
    for schemas in (
        "www.sitemaps.org/schemas/sitemap/0.9",
        "www.google.com/schemas/sitemap/0.9",
        "www.google.com/schemas/sitemap/0.90",
        "www.google.com/schemas/sitemap/0.84",
    )
)
_RSS_1 = "http://purl.org/rss/1.0/"
# Vocabularies that feeds have besides their own, by the prefix that is usual and often not declared.
_MODULES = {
    "dc": "http://purl.org/dc/elements/1.1/",
    "sy": "http://purl.org/rss/1.0/modules/syndication/",
}
# How often a feed changes: RSS 2.0, "ttl"; RSS 1.0 modules, "Syndication".
_RHYTHM = {"ttl": "ttl", "sy:updatePeriod": "period", "sy:updateFrequency": "frequency"}
_DATE = {"dc:date": "published"}


@dataclass(frozen=True, slots=True)
class XmlForm:
    """A kind of sitemap in XML."""

    path: list[str]
    fields: Mapping[str, str]
    namespaces: frozenset[str] = frozenset()
    child: bool = False  # its entries are sitemaps or feeds, not pages
    link: str = ""  # the element whose href is loc (RFC 4287, 4.2.7)
    permalink: str = ""  # the element that is loc where there is no other, unless it says that it is none
    about: Mapping[str, str] = field(default_factory=dict)  # fields of the whole, beside its entries
    address: str = ""  # the attribute that is loc, in lower case; such entries stand inside each other
    vocabulary: str = ""  # the namespace of its entries where it is not that of the root

    def names(self, root: str, attributes: Mapping[str, str]) -> dict[str, str]:
        """Maps the names that elements have in a file to ours; `root` is its root element's.

        What is no module's has the prefix of the root: many a sitemap uses image: without declaring it.
        """
        prefixes = {
            namespace: key.removeprefix("xmlns").removeprefix(":")
            for key, namespace in attributes.items()
            if key.startswith("xmlns")
        }
        own = prefixes.get(self.vocabulary, "") if self.vocabulary else root.rpartition(":")[0]
        names = {root: self.path[0]}
        for name in filter(None, (*self.path[1:], *self.fields, *self.about, self.link, self.permalink)):
            module, _, local = name.rpartition(":")
            prefix = prefixes.get(_MODULES[module], module) if module else own
            names[f"{prefix}:{local}" if prefix else local] = name
        return names


_FORMS = (
    XmlForm(
        ["urlset", "url"],
        {name: name for name in ("loc", "lastmod", "changefreq", "priority")},  # requirement 241
        _SITEMAPS_ORG,
    ),
    XmlForm(["sitemapindex", "sitemap"], {"loc": "loc", "lastmod": "lastmod"}, _SITEMAPS_ORG, child=True),
    XmlForm(
        ["rss", "channel", "item"],
        {"link": "loc", "pubDate": "published"} | _DATE,
        permalink="guid",
        about=_RHYTHM,
    ),
    XmlForm(
        ["RDF", "item"],
        {"link": "loc"} | _DATE,
        frozenset({"http://www.w3.org/1999/02/22-rdf-syntax-ns#", _RSS_1}),
        about=_RHYTHM,
        vocabulary=_RSS_1,
    ),
    XmlForm(
        ["feed", "entry"],
        {"updated": "lastmod", "modified": "lastmod", "published": "published", "issued": "published"},
        frozenset({"http://www.w3.org/2005/Atom", "http://purl.org/atom/ns#"}),
        link="link",
        about=_RHYTHM,
    ),
    XmlForm(["opml", "outline"], {}, child=True, address="xmlurl"),
)
FORMS = {form.path[0]: form for form in _FORMS}
