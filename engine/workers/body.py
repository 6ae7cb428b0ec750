"""Reads, fingerprints and packs one body, in a reader process."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from engine.config import Duplicates, ReadingLimits
from engine.model import Link, Page, Reading
from engine.packing import pack
from engine.robots import parse_sitemap_date
from engine.text.documents import read_document
from engine.text.duplicates import PageDigests, compute_digests
from engine.url import NO_ALIASES
from engine.workers.page_screen import PageScreen
from engine.workers.reading_context import NO_CONTEXT, ReadingContext


class ReadingOptions(NamedTuple):
    """Options for reading bodies: spelling of links, screening, digests, limits."""

    settled: Callable[[str], str] = NO_ALIASES.resolve
    sieve: PageScreen = PageScreen()
    duplicates: Duplicates = Duplicates()
    allowed: ReadingLimits = ReadingLimits()


def read_body(
    body: bytes,
    url: str,
    content_type: str,
    headers: Sequence[tuple[str, str]],
    options: ReadingOptions = ReadingOptions(),
    context: ReadingContext = NO_CONTEXT,
) -> Reading:
    """Reads a body: the page, its links as `settled` spells them, and its flags.

    Raises PageError for one that nobody here can read.
    """
    settled, sieve, duplicates, allowed = options
    page = sieve.screen(read_document(body, url, content_type, headers, allowed, context.recognized))
    page = replace(page, rendered=True) if context.rendered else page
    if page.published is None and context.published is not None:
        page = _date(page, context.published, dict(headers).get("last-modified", ""))
    return build_reading(
        page,
        compute_digests(page, near=duplicates.near_duplicates, links=duplicates.require_same_links),
        settled,
    )


def _date(page: Page, published: float, last_modified: str) -> Page:
    """Dates a page that does not say when it appeared. That its file was written later says no more of it."""
    written = parse_sitemap_date(last_modified)
    by_header = written is not None and page.modified == written.timestamp()
    return replace(page, published=published, modified=None if by_header else page.modified)


def build_reading(
    page: Page, digests: PageDigests, settled: Callable[[str], str] = NO_ALIASES.resolve
) -> Reading:
    """Builds the reading of a page with these digests; its links in the spelling asked for.

    So that a link with tracking parameters, or to another name of a host, counts for the page it means.
    """
    page = replace(page, links=tuple(_settled(link, settled) for link in page.links))
    follow = page.directives.follow
    return Reading(
        language=page.language,
        media_type=page.media_type,
        directives=page.directives,
        fingerprint=digests.fingerprint,
        shape=digests.shape,
        near=digests.near,
        outlinks=tuple({link.url: None for link in page.links if not link.nofollow}) if follow else (),
        content=pack(page),
        canonical=page.canonical,
        moved_to=page.moved_to,
        revisit_seconds=page.revisit_seconds,
        flag=page.flag,
        cut=page.cut,
        secrets=page.secrets,
        pictures=page.pictures,
    )


def _settled(link: Link, settled: Callable[[str], str]) -> Link:
    url = settled(link.url)
    return link if url == link.url else link._replace(url=url)
