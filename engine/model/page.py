"""Defines the values that pass from station to station. All are frozen: a station returns a new one."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from engine.model.hit import Hit
from engine.model.narrowing import NO_FILTERS, Facets, SearchFilters
from engine.model.note import Note
from engine.model.origin import Origin
from engine.model.scanned_pages import ScannedPages
from engine.model.secret import Secret
from engine.model.section_anchor import SectionAnchor
from engine.robots import Directives, Sitemap


class State(StrEnum):
    """What became of a URL; the database keeps the word."""

    QUEUED = "queued"  # in the frontier, not yet asked
    STORED = "stored"  # its page is stored and the index
    NOINDEX = "noindex"  # its owner asked for no entry; only the URL is kept
    ALIAS = "alias"  # another URL of a page we have: redirect or duplicate
    DISALLOWED = "disallowed"  # robots.txt
    GONE = "gone"  # 404, 410
    FAILED = "failed"  # no usable answer: network, 5xx, junk
    SKIPPED = "skipped"  # a type we do not read, or a redirect out of scope


class Purpose(StrEnum):
    """What a URL is asked for."""

    PAGE = "page"
    ROBOTS = "robots"  # the host's robots.txt
    SITEMAP = "sitemap"
    FEED = "feed"  # RSS, Atom, or OPML, which names feeds; the operator's, not by robots.txt
    PROBE = "probe"  # what a host says of a page that cannot exist
    RESOURCE = "resource"  # what a page asks for while it is rendered: engine.render


LISTS = frozenset((Purpose.SITEMAP, Purpose.FEED))
"""What names URLs, and is no page itself."""


class Flag(StrEnum):
    """What a page is that has nothing to say; the database keeps the word."""

    UA_ERROR = "ua-error"  # for a browser that it does not know, or before it believes in one
    DENIED = "denied"  # for somebody who may not, or no longer
    PARKED = "parked"  # of a domain without a site
    DEFAULT = "default page"  # of a server without one


COPY, NEAR_COPY = "duplicate", "near-duplicate"
LETHAL = "reading took too long or too much memory"  # reason of what is skipped: its reader died of it
UNDRAWN = "empty without scripts"  # reason of a page that is left out: it has no text before they run
UNASKED = "empty without scripts of other hosts"  # the same, with the hosts that it was not let ask, by names
COPIES = (COPY, NEAR_COPY)  # reasons of an alias: we found another URL's text there


def rule_of(reason: str) -> str:
    """Returns the rule by which a page was left out: its reason, without the hosts that it names."""
    return UNASKED if reason.startswith(UNASKED) else reason


def unasked_hosts(reason: str) -> str:
    """Returns the hosts that a reason names, as render_hosts in crawl.toml has them, '' without any."""
    names = reason.removeprefix(UNASKED).removeprefix(": ").split(", ") if rule_of(reason) == UNASKED else ()
    return ", ".join(f'"{name}"' for name in names)


class Link(NamedTuple):  # no dataclass: a page has some 70 of them, and these cost half as much
    """One outlink: the canonical URL it points to, the words it stands on, rel=nofollow, and its place."""

    url: str
    anchor: str
    nofollow: bool = False
    main: bool = True  # in the main text; False: in navigation, header, footer


class Links(NamedTuple):
    """The links of a page in columns, which all have as many entries; see Link."""

    urls: Sequence[str]
    anchors: Sequence[str]
    nofollow: Sequence[bool]
    main: Sequence[bool]

    @classmethod
    def of(cls, links: Iterable[Link]) -> "Links":
        """Packs links in their order."""
        columns = [list(column) for column in zip(*links, strict=True)]
        return cls(*columns) if columns else cls([], [], [], [])


CELL_END = "\t"


class Section(NamedTuple):
    """A stretch of main text under one heading; `fragment` is the heading's id, '' without one.

    One with a fragment alone begins with a term that is defined there, unless the fragment came before: then
    it goes on with that section, behind a list of terms. The text has a line for each block. Where the next
    line belongs to it, as a definition to its term and a cell to the one before, it ends with CELL_END.
    """

    heading: str
    fragment: str
    text: str
    anchors: tuple[SectionAnchor, ...] = ()


@dataclass(frozen=True, slots=True)
class Page:
    """A document as it was read: Unicode text, no markup anywhere. The first section has no heading."""

    url: str
    title: str = ""
    description: str = ""
    language: str = ""  # ISO 639-1, '' when nobody can tell
    media_type: str = "text/html"
    sections: Sequence[Section] = ()
    links: Sequence[Link] = ()
    directives: Directives = field(default_factory=Directives)
    keywords: str = ""
    canonical: str = ""  # the URL of this site that its owner prefers, '' when it is this one
    moved_to: str = ""  # where META refresh takes a reader within seconds
    revisit_seconds: float | None = None  # the owner's wish, counted from the visit
    rest: str = ""  # what else can be seen: navigation, header, footer; a line for each block
    published: float | None = None  # seconds since 1970, UTC, as the page says
    modified: float | None = None
    flag: Flag | None = None  # it has nothing to say (requirement 85)
    cut: bool = False  # only its beginning was read: it is very long, or took very long
    secrets: Sequence[Secret] = ()  # that nobody should find (requirement 284)
    scanned: ScannedPages | None = None  # None where every page has text, or it has no pages
    pictures: Sequence[int] = ()  # which pages nobody has read, from 0; not kept
    rendered: bool = False  # it was read as its scripts have drawn it

    @property
    def text(self) -> str:
        """Everything a person reads in the main part, headings included."""
        return "\n".join(
            part for section in self.sections for part in (section.heading, section.text) if part
        )


@dataclass(frozen=True, slots=True)
class Reading:
    """What the crawl keeps of a body that was read; the page itself stays packed until the index wants it."""

    language: str
    media_type: str
    directives: Directives
    fingerprint: bytes  # b'' for a page without text
    outlinks: Sequence[str]  # canonical URLs that may be followed, each once
    content: bytes  # engine.packing.packing
    shape: bytes = b""  # of the text without numbers, b'' without letters
    near: Sequence[int] = ()  # keys of which near duplicates share one; none where they are not looked for
    canonical: str = ""
    moved_to: str = ""
    revisit_seconds: float | None = None
    flag: Flag | None = None
    cut: bool = False
    secrets: Sequence[Secret] = ()  # a page that has some is not kept
    pictures: Sequence[int] = ()  # pages of a document that are pictures without text, from 0

    def strip(self) -> "Reading":
        """Strips all but what the owner asks: of a URL that another represents nothing else is needed."""
        return Reading(self.language, self.media_type, self.directives, b"", (), b"")


@dataclass(frozen=True, slots=True)
class Claim:
    """A URL taken from the frontier to be fetched now.

    `host` is whose turn this is; it differs from the URL's own where a robots.txt was redirected.
    """

    url_id: int
    url: str
    host: str
    depth: int = 0
    hops: int = 0  # redirects followed to reach it
    fails: int = 0  # visits in a row that brought nothing
    referrer: str = ""
    etag: str = ""
    last_modified: str = ""
    kind: Purpose = Purpose.PAGE
    new: bool = False  # never visited before
    turn: int = 0  # the round in which it waits; 0: it was queued by hand
    origin: Origin = Origin.LINK
    published: float | None = None  # by a feed; seconds since 1970


@dataclass(frozen=True, slots=True)
class Fetch:
    """One HTTP exchange; `status` 0 and a named `error` when no answer came, or not a whole one.

    A sitemap that was cut has both: what there is of it helps.
    """

    claim: Claim
    status: int
    headers: Sequence[tuple[str, str]] = ()  # names in lower case
    body: bytes = b""
    error: str = ""
    at: float = 0.0  # seconds since 1970, UTC
    seconds: float = 0.0  # from request to the last byte
    address: str = ""  # the IP address that answered, '' when nobody knows
    sent: int = 0  # bytes of the request, TLS and below not counted
    received: int = 0  # bytes of the answer, packed as it came, whether it was read or not
    unpacked: int = 0  # bytes of a body that is still packed, or was let go; 0: it is as it is
    replayed: bool = False  # nothing was sent: the answer came before a kill (engine.store.journal)

    @property
    def size(self) -> int:
        """Bytes of the body, unpacked."""
        return self.unpacked or len(self.body)

    def header(self, name: str) -> str:
        """Returns the first value of a header, '' without one; `name` in lower case."""
        return next((value for key, value in self.headers if key == name), "")


@dataclass(frozen=True, slots=True)
class Visit:
    """What came of one claim, growing from station to station until the store commits it."""

    fetch: Fetch
    state: State
    reason: str = ""  # why it is not stored, in a word or two
    reading: Reading | None = None
    target: str = ""  # of an alias: the URL that represents it
    again: bool = False  # failed in a way that may pass: ask once more later
    unchanged: bool = False  # 304: all we have of it still holds
    sitemap: Sitemap | None = None  # what the claim was for, when that was a sitemap

    @property
    def may_stand(self) -> bool:
        """Tells whether a copy may stand in place of its target: its owner asks nothing special."""
        is_copy = self.state is State.ALIAS and self.reason in COPIES
        return is_copy and self.reading is not None and self.reading.directives == Directives()


@dataclass(frozen=True, slots=True)
class Results:
    """One page of hits, best first; `total` counts all that matched, `notes` say how the query was read.

    `did_you_mean` is a query that finds more, '' where nothing that was typed looks misspelled. So many of
    the first ten places are `empty`, as too few hosts match to fill them. `facets`: where asked for.
    `sites` are the hosts of hits and facets that have a name, as site: names them, with that.
    """

    query: str
    total: int
    page: int
    size: int
    took_ms: float
    hits: Sequence[Hit] = ()
    notes: Sequence[Note] = ()
    did_you_mean: str = ""
    empty: int = 0
    choice: SearchFilters = NO_FILTERS
    facets: Facets | None = None
    sites: Mapping[str, str] = field(default_factory=dict)

    @property
    def pages(self) -> int:
        """How many pages there are."""
        return -(-(self.total + self.empty) // self.size)

    def as_object(self) -> dict[str, object]:
        """Returns one page of hits for JSON, for `/api/search` and `scrapy search --json` alike."""
        return {
            "query": self.query,
            "total": self.total,
            "page": self.page,
            "took_ms": round(self.took_ms, 2),
            "notes": [note.as_object() for note in self.notes],
            "did_you_mean": self.did_you_mean,
            "hits": [hit.as_object() for hit in self.hits],
            "sites": [{"host": host, "name": name} for host, name in self.sites.items()],
            **({"facets": self.facets.as_object()} if self.facets else {}),
        }
