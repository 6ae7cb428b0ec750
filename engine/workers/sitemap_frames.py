"""Encodes sitemaps for the connection to a reader process."""

import json
from datetime import UTC, datetime
from typing import Any

from engine.robots import Entry, Sitemap, read_sitemap
from engine.workers.frames import encode_frame


def encode_sitemap(body: bytes, url: str) -> bytes:
    """Encodes a sitemap, as a reader process sends it back; it may list all URLs of its host (C27)."""
    sitemap = read_sitemap(body, url, scope="host")
    rows = {"entries": _rows(sitemap.entries), "sitemaps": _rows(sitemap.sitemaps)}
    return encode_frame({"warnings": sitemap.warnings}, json.dumps(rows).encode())


def decode_sitemap(fields: dict[str, Any], rows: bytes) -> Sitemap:
    """Decodes a sitemap; without entries, and with a warning, when the reader died of it."""
    if "error" in fields:
        return Sitemap((), (), (fields["error"],))
    lists = json.loads(rows)
    return Sitemap(_entries(lists["entries"]), _entries(lists["sitemaps"]), tuple(fields["warnings"]))


def _rows(entries: tuple[Entry, ...]) -> list[tuple[str, float | None, str, float]]:
    moments = (one.lastmod.timestamp() if one.lastmod else None for one in entries)
    return [(one.loc, at, one.changefreq, one.priority) for one, at in zip(entries, moments, strict=True)]


def _entries(rows: list[list[Any]]) -> tuple[Entry, ...]:
    return tuple(
        Entry(loc, None if at is None else datetime.fromtimestamp(at, UTC), often, weight)
        for loc, at, often, weight in rows
    )
