"""Encodes sitemaps for the connection to a reader process."""

import json
from datetime import UTC, datetime
from typing import Any

from engine.robots import Entry, Sitemap, read_sitemap
from engine.workers.frames import encode_frame


def encode_sitemap(body: bytes, url: str, scope: str) -> bytes:
    """Encodes a sitemap or feed, as a reader process sends it back."""
    sitemap = read_sitemap(body, url, scope=scope)
    rows = {"entries": _rows(sitemap.entries), "sitemaps": _rows(sitemap.sitemaps)}
    return encode_frame({"warnings": sitemap.warnings, "every": sitemap.every}, json.dumps(rows).encode())


def decode_sitemap(fields: dict[str, Any], rows: bytes) -> Sitemap:
    """Decodes a sitemap; without entries, and with a warning, when the reader died of it."""
    if "error" in fields:
        return Sitemap((), (), (fields["error"],))
    lists = json.loads(rows)
    entries, sitemaps = _entries(lists["entries"]), _entries(lists["sitemaps"])
    return Sitemap(entries, sitemaps, tuple(fields["warnings"]), fields["every"])


def _rows(entries: tuple[Entry, ...]) -> list[tuple[str, float | None, str, float, float | None]]:
    return [
        (one.loc, _seconds(one.lastmod), one.changefreq, one.priority, _seconds(one.published))
        for one in entries
    ]


def _entries(rows: list[list[Any]]) -> tuple[Entry, ...]:
    return tuple(
        Entry(loc, _moment(at), often, weight, _moment(published))
        for loc, at, often, weight, published in rows
    )


def _seconds(moment: datetime | None) -> float | None:
    return moment.timestamp() if moment else None


def _moment(seconds: float | None) -> datetime | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)
