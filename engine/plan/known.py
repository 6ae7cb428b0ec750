"""Defines the figures that a plan is based on: counts of the crawl database, or defaults."""

from dataclasses import dataclass
from typing import NamedTuple

from engine.store import RecentVisits, UrlCounts

MIN_SAMPLE = 50  # visits of a host, or pages, that stand for more of their kind
# Where nothing is known yet: as measured on 2,000 pages of Rust's documentation.
BODY_BYTES = 60_000  # a page as it comes, unpacked
PAGE_BYTES = 4_000  # a page in crawl.db
INDEX_BYTES = 22_000  # a page in the index
URL_CHARS = 40  # requirement 24


@dataclass(frozen=True, slots=True)
class FolderSizes:
    """Bytes on the disk: the crawl database, the current index with so many pages, what is free."""

    database: int = 0
    index: int = 0
    indexed_pages: int = 0
    free: int = 0


class Assumptions(NamedTuple):
    """What the operator supposes in place of what is known; 0 = nothing."""

    urls: int = 0  # known at the end
    chars: int = 0  # of a URL, in the mean


NO_ASSUMPTIONS = Assumptions()


@dataclass(frozen=True, slots=True)
class PlanInput:
    """All that a plan goes by, beside the single hosts."""

    total: UrlCounts
    mean_url_length: float  # of the known URLs
    recent_visits: RecentVisits
    folder: FolderSizes
    assumptions: Assumptions = NO_ASSUMPTIONS

    @property
    def new_urls_per_visit(self) -> float:
        """New URLs that a visit brings, by the last ones; 0.0 while they are too few to tell."""
        return self.total.found / self.total.recent if self.total.recent >= MIN_SAMPLE else 0.0

    @property
    def bytes_per_page(self) -> float:
        """Bytes of a page as it comes."""
        return ratio(self.total.bytes, self.total.pages, BODY_BYTES)

    @property
    def page_share(self) -> float:
        """Of the URLs visited, those that are pages."""
        return ratio(self.total.pages, self.total.visited, 1.0)

    @property
    def url_length(self) -> float:
        """Characters of a URL."""
        return self.assumptions.chars or self.mean_url_length or URL_CHARS


def ratio(part: float, whole: float, otherwise: float) -> float:
    """Divides, or returns a default where the divisor is 0."""
    return part / whole if whole else otherwise
