"""Writes pages as JSON lines (jsonlines.org), as the crawl has read them."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from engine.model import Page
from engine.store import Change


def write_page(change: Change) -> Iterator[str]:
    """Writes one line: the page at this change, or that its URL has none any more.

    Of a page whose owner wants no copies kept (noarchive) there are no texts but its title.
    """
    yield json.dumps(_make_object(change), ensure_ascii=False)


def _make_object(change: Change) -> dict[str, Any]:
    page, links = change.page, change.links
    found: dict[str, Any] = {"change": change.seq, "url": change.url}
    if page is None or links is None:
        others = {"represented_by": change.represented_by, "copy_of": change.copy_of}
        return {**found, "gone": True, **{name: url for name, url in others.items() if url}}
    columns = zip(*links, strict=True)
    return {
        **found,
        "title": page.title,
        "language": page.language,
        "media_type": page.media_type,
        "fetched_at": _format_time(change.fetched_at),
        "published": _format_time(page.published),
        "modified": _format_time(page.modified),
        **(_make_texts(page) if page.directives.archive else {"noarchive": True}),
        "links": [
            {"url": url, "anchor": anchor, "nofollow": nofollow, "main": main}
            for url, anchor, nofollow, main in columns
        ],
    }


def _make_texts(page: Page) -> dict[str, Any]:
    return {
        "description": page.description,
        "keywords": page.keywords,
        "sections": [
            {"heading": one.heading, "fragment": one.fragment, "text": one.text} for one in page.sections
        ],
    }


def _format_time(at: float | None) -> str | None:
    """Formats seconds since 1970 as RFC 3339 has times; None for what no calendar has."""
    try:
        return None if at is None else datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")
    except (ValueError, OverflowError, OSError):
        return None
