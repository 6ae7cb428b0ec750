"""Defines a hit: one document as a page of hits shows it."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.model.sitelink import Sitelink
from engine.url import authority_of


@dataclass(frozen=True, slots=True)
class Hit:
    """One document that matched, ready to be shown; `snippet` is plain text, `marks` are spans in it."""

    url: str
    title: str
    snippet: str
    score: float
    inlinks: int  # distinct linking pages
    language: str
    fetched_at: str  # ISO 8601, UTC
    marks: Sequence[tuple[int, int]] = ()  # (start, end) character offsets into snippet
    copies: int = 0  # URLs with the same text, or nearly so, for which this one stands
    copy_urls: Sequence[str] = ()  # the first of them
    media_type: str = ""  # '' when the index was written by an older Lycosa
    section: str = ""  # heading of the section that answers best, '' where the page as a whole does
    fragment: str = ""  # by which a link reaches that section, escaped; '' for none
    text_directive: str = ""  # by which a browser finds the passage (WICG, Scroll To Text Fragment)
    pinned: bool = False  # the operator wants it to come first for these words
    more_from_host: int = 0  # hits of its host, at least, that are folded under this one
    date: str = ""  # of which the page says that it is, 2024-05-01; '' where it does not say
    sitelinks: Sequence[Sitelink] = ()  # its main sections, where the query names this page
    has_copy: bool = False  # its text may be read here: engine.index.snippets.text_copy

    @property
    def link(self) -> str:
        """Where a click leads."""
        place = f"{self.fragment}:~:{self.text_directive}" if self.text_directive else self.fragment
        return f"{self.url}#{place}" if place else self.url

    @property
    def host(self) -> str:
        """As site: names it."""
        return authority_of(self.url)

    def as_object(self) -> dict[str, object]:
        """Returns the hit for JSON."""
        fields: dict[str, object] = {name: getattr(self, name) for name in HIT_FIELDS}
        return fields | {"sitelinks": [link._asdict() for link in self.sitelinks]}


HIT_FIELDS = (
    *("url", "link", "title", "section", "fragment", "snippet", "marks", "score"),
    *("inlinks", "language", "date", "fetched_at", "copies", "copy_urls", "pinned", "more_from_host"),
)
