"""A body becomes what the crawl keeps of it: read, fingerprinted and packed."""

from collections.abc import Sequence

from engine.page import Page, Reading
from engine.store.packing import pack
from engine.text import fingerprint, read


def reading(body: bytes, url: str, content_type: str, headers: Sequence[tuple[str, str]]) -> Reading:
    """All that is kept of a body. Raises PageError for one that nobody here can read."""
    page = read(body, url, content_type, headers)
    return kept(page, fingerprint(page))


def kept(page: Page, digest: bytes) -> Reading:
    """All that is kept of a page with this fingerprint."""
    follow = page.directives.follow
    return Reading(
        language=page.language,
        media_type=page.media_type,
        directives=page.directives,
        fingerprint=digest,
        outlinks=tuple({link.url: None for link in page.links if not link.nofollow}) if follow else (),
        content=pack(page),
        canonical=page.canonical,
        moved_to=page.moved_to,
        revisit_seconds=page.revisit_seconds,
    )
