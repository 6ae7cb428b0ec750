"""Estimates a crawl's disk space, and the memory of a set of URLs."""

import math
from dataclasses import dataclass

from engine.plan.known import INDEX_BYTES, MIN_SAMPLE, PAGE_BYTES, PlanInput

URL_ROW_BYTES = 140  # a known URL in crawl.db, beside twice its text: measured at 3,000 and 1,000,000
GENERATIONS = 3  # of the index while a rebuild runs: the current one, the one before, the draft
FALSE_SEEN = 0.001  # share of new URLs that a bit map takes for known ones; requirement 23


@dataclass(frozen=True, slots=True)
class DiskEstimate:
    """Bytes: for one more URL or page, and in all at the end of the crawl."""

    url: float  # in the crawl database
    page: float
    indexed: float
    database: float
    index: float
    shortage: float  # what is free does not reach by so much, with a rebuild


@dataclass(frozen=True, slots=True)
class UrlSetSize:
    """Bytes of a set of URLs in memory: their texts, or a bit map that errs (requirements 23, 24)."""

    urls: int
    chars: float
    exact: float
    bit_map: float


def estimate_url_set(urls: int, chars: float) -> UrlSetSize:
    """Estimates the memory of a set of URLs: as text, and as a Bloom filter of 14.4 bits a URL."""
    bits = -math.log(FALSE_SEEN) / math.log(2) ** 2
    return UrlSetSize(urls, chars, urls * chars, urls * bits / 8)


def estimate_disk(known: PlanInput, urls: int, pages: float) -> DiskEstimate:
    """Estimates the disk space for this number of known URLs and of pages still to be stored."""
    total, folder = known.total, known.folder
    of_pages = max(folder.database - total.known * _url_bytes(known.mean_url_length), 0.0)
    page = of_pages / total.pages if total.pages >= MIN_SAMPLE else PAGE_BYTES
    indexed = folder.index / folder.indexed_pages if folder.indexed_pages >= MIN_SAMPLE else INDEX_BYTES
    url = _url_bytes(known.url_length)
    database = folder.database + max(urls - total.known, 0) * url + pages * page
    index = (total.pages + pages) * indexed
    grown = database - folder.database + GENERATIONS * index - folder.index
    return DiskEstimate(url, page, indexed, database, index, max(grown - folder.free, 0.0))


def _url_bytes(chars: float) -> float:
    return URL_ROW_BYTES + 2 * chars  # in the table, and in the index that makes it unique
