"""Reads the items of a sitemap's text, each with its fields as they were written.

One URL a line, or one of the forms in XML, told apart by their first characters and their root element,
never by name or media type. Expat reads the XML as a stream and never sees a document type: whatever that
declares is neither resolved nor read (requirement 249).
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from xml.parsers import expat

from engine.errors import PageError
from engine.robots.sitemap_forms import FORMS, PERMALINK, XmlForm

MAX_FIELD = 4096  # characters kept of a field: the longest loc twice, for the white space around it
MAX_DEPTH = 100  # elements inside each other, below an entry; whole pages in a feed have some 30
MAX_ELEMENTS = 2_000_000  # and unread entities: 40 for each of 50,000 entries; bounds the time, some 1 s
MAX_NAMES = 1000  # different names of elements and attributes; expat keeps every one it meets
MAX_TOKEN_BYTES = 1024 * 1024  # octets of one tag or comment; expat reads an unfinished one again and again

BLANKS = " \t\n\ufeff"
LOST = "\ufffd"  # stands where an octet is no character and where an entity is not read

_XML_DECLARATION = re.compile(r"[\s\ufeff]*(<\?xml\s[^>]*\?>)?")
_DOCTYPE = re.compile(
    r"""<!DOCTYPE[^>\["']*(?:("[^"]*"|'[^']*')[^>\["']*)*+(\[([^]"']|"[^"]*"|'[^']*')*+\]\s*)?>"""
)


@dataclass(frozen=True, slots=True)
class SitemapItem:
    """The fields of one entry: loc, lastmod, changefreq, priority, published."""

    line: int
    fields: dict[str, str] = field(default_factory=dict)
    child: bool = False


def read_items(texts: Iterator[str], warnings: list[str], about: dict[str, str]) -> Iterator[SitemapItem]:
    """Yields what the text lists, in its order. What ended the reading early is added to `warnings`, and
    what a feed says of itself to `about`: ttl, period, frequency.
    """
    head = next(texts, "")
    if head.lstrip(BLANKS).startswith("<"):
        return _xml_items(chain([_without_prolog(head)], texts), warnings, about)
    return _lines(chain([head], texts))


def _without_prolog(head: str) -> str:
    """Drops XML declaration and document type; what follows keeps its line numbers.

    Blanks before the declaration are an error to expat, and its charset is none any more.
    """
    text = _XML_DECLARATION.sub(_only_newlines, head, count=1)
    doctype = _DOCTYPE.match(text, max(text.find("<!DOCTYPE"), 0))
    return text[: doctype.start()] + _only_newlines(doctype) + text[doctype.end() :] if doctype else text


def _only_newlines(match: re.Match[str]) -> str:
    return "\n" * match[0].count("\n")


def _lines(texts: Iterator[str]) -> Iterator[SitemapItem]:
    """Reads a list of URLs, one a line (sitemaps.org, "Text file")."""
    rest, before = "", 0
    for text in chain(texts, ["\n"]):
        *lines, rest = (rest + text).split("\n")
        rest = rest[:MAX_FIELD]
        for number, line in enumerate(lines, before + 1):
            if loc := line.strip():
                yield SitemapItem(number, {"loc": loc[:MAX_FIELD]})
        before += len(lines)


def _xml_items(texts: Iterator[str], warnings: list[str], about: dict[str, str]) -> Iterator[SitemapItem]:
    reader = _ItemReader(warnings, about)
    try:
        for text in texts:
            reader.feed(text)
            yield from reader.take()
        reader.parser.Parse(b"", True)
    except expat.ExpatError as error:
        warnings.append(f"damaged XML, the rest is not read: {error}")
    except PageError as error:
        warnings.append(f"line {reader.parser.CurrentLineNumber}: {error}")
    yield from reader.take()


class _ItemReader:
    """Turns Expat's events into items."""

    def __init__(self, warnings: list[str], about: dict[str, str]) -> None:
        self._warnings, self._about = warnings, about
        self._fed = 0  # octets
        self._elements = 0
        self._form: XmlForm | None = None
        self._namespaces: frozenset[str] = frozenset()  # that an element of ours may name
        self._own: dict[str, str] = {}  # names as they are written -> as we know them
        self._path: list[str] = []  # from the root down to where entries stand
        self._below = 0  # levels below that: 0 is an entry's, 1 its fields'
        self._item: SitemapItem | None = None
        self._field = ""
        self._text = ""
        self._done: list[SitemapItem] = []
        self.parser = expat.ParserCreate("utf-8")
        self.parser.buffer_text = True
        self.parser.UseForeignDTD(True)  # an entity that nobody declared is skipped, not an error
        self.parser.StartDoctypeDeclHandler = self._doctype
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._characters
        self.parser.SkippedEntityHandler = self._skipped

    def feed(self, text: str) -> None:
        """Parses more text. Raises PageError, or ExpatError for what is no XML."""
        octets = text.encode(errors="replace")
        self._fed += len(octets)
        self.parser.Parse(octets, False)
        # The index is -1 where a newer expat waits for more of the token before it looks again.
        if 0 <= self.parser.CurrentByteIndex < self._fed - MAX_TOKEN_BYTES:
            raise PageError(f"a tag or comment of more than {MAX_TOKEN_BYTES} octets")
        if len(self.parser.intern) > MAX_NAMES:
            raise PageError(f"more than {MAX_NAMES} names of elements and attributes")
        if self._elements > MAX_ELEMENTS:
            raise PageError(f"more than {MAX_ELEMENTS} elements and entities")

    def take(self) -> list[SitemapItem]:
        """Removes and returns the items that are complete."""
        done, self._done = self._done, []
        return done

    def _doctype(self, *_: object) -> None:
        raise PageError("a document type that cannot be left out")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        form = self._form or self._open(name, attributes)
        self._elements += 1
        self._below += 1
        local = self._local(name, attributes)
        if self._below <= 0:
            self._path.append(local)
        if form.address:
            self._add_address(form, local, attributes)
        elif self._below == 0 and self._path == form.path:
            self._item = SitemapItem(self.parser.CurrentLineNumber, {}, form.child)
        elif self._below == 1 and self._item:
            self._field, self._text = form.fields.get(local, ""), ""
            if local and local == form.permalink and _is_permalink(attributes):
                self._field = PERMALINK
            if local and local == form.link and attributes.get("rel", "alternate") == "alternate":
                self._item.fields.setdefault("loc", attributes.get("href", "").strip())
        elif self._below in (0, 1):  # RSS has its channel round its items, or beside them
            self._field, self._text = form.about.get(local, ""), ""
        if self._below > MAX_DEPTH:
            raise PageError(f"more than {MAX_DEPTH} elements inside each other")

    def _add_address(self, form: XmlForm, local: str, attributes: Mapping[str, str]) -> None:
        """Adds an entry that is an attribute; one without it holds others (OPML 2.0, "outline")."""
        written = {name.lower(): value for name, value in attributes.items()}.get(form.address, "")
        if local == form.path[-1] and written:
            self._done.append(
                SitemapItem(self.parser.CurrentLineNumber, {"loc": written.strip()}, form.child)
            )

    def _end(self, _: str) -> None:
        if self._item and self._below == 0:
            permalink = self._item.fields.pop(PERMALINK, "")
            self._item.fields["loc"] = self._item.fields.get("loc") or permalink
            self._done.append(self._item)
            self._item = None
        elif self._field and self._below in (0, 1):
            said = self._item.fields if self._item else self._about
            said.setdefault(self._field, self._text.strip())
            self._field = ""
        if self._below <= 0:
            self._path.pop()
        self._below -= 1

    def _characters(self, text: str) -> None:
        if self._field and len(self._text) < MAX_FIELD:
            self._text += text

    def _skipped(self, *_: object) -> None:
        self._elements += 1
        self._characters(LOST)

    def _open(self, name: str, attributes: dict[str, str]) -> XmlForm:
        """Finds which form the root element is, and which prefix its elements have.

        Elements of others are told by another prefix: many a sitemap uses image: without declaring it.
        """
        prefix, colon, local = name.rpartition(":")
        form = FORMS.get(local)
        if not form:
            raise PageError(f"no sitemap: the root element is {name[:100]!r}")
        namespace = attributes.get(f"xmlns{colon}{prefix}", "")
        if namespace and namespace.rstrip("/") not in form.namespaces:
            self._warnings.append(f"unknown namespace {namespace[:100]!r}")
        self._own = form.names(name, attributes)
        self._namespaces = form.namespaces | {namespace, ""}
        self._form, self._below = form, -len(form.path)
        return form

    def _local(self, name: str, attributes: dict[str, str]) -> str:
        """Returns our name of an element, `` for one of another vocabulary."""
        if attributes and attributes.get("xmlns", "") not in self._namespaces:
            return ""
        return self._own.get(name, "")


def _is_permalink(attributes: Mapping[str, str]) -> bool:
    """Tells whether a guid is an address: it is, unless it says otherwise (RSS 2.0, "guid")."""
    return attributes.get("isPermaLink", "true").strip().lower() != "false"
