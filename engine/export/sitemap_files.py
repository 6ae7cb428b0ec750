"""Writes a sitemap of all stored pages (sitemaps.org), with an index where one file has no room for them."""

import gzip
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, cast
from xml.sax.saxutils import escape

from engine.errors import EngineError
from engine.export.export_file import OWNER_ONLY
from engine.robots import MAX_SITEMAP_BYTES
from engine.store import Change, ChangeSource
from engine.url import host_of

MAX_URLS = 50_000  # of one file, and files of one index; sitemaps.org
BATCH = 200  # changes, or 8 MB of packed pages: what the memory holds of an export
_NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
_HEAD, _GZIP = '<?xml version="1.0" encoding="UTF-8"?>\n', ".gz"
_END = "</urlset>\n"


def export_sitemap(source: ChangeSource, path: Path, since: float, report: Callable[[int, int], None]) -> int:
    """Writes the URLs of the pages stored now; returns their number. Files appear once all are whole.

    More than MAX_URLS, or MAX_SITEMAP_BYTES, are parted into NAME-1.xml and so on, and FILE is their index,
    which says that they stand at the root of the first page's host. A file that is there is replaced. Raises
    EngineError for more than an index may have; OSError.
    """
    with _SitemapWriter(path) as writer:
        for change in _find_pages(source, since, report):
            writer.add(change.url, change.page.modified if change.page else None)
        return writer.publish()


def _find_pages(source: ChangeSource, since: float, report: Callable[[int, int], None]) -> Iterator[Change]:
    after, end = 0, source.last_change()
    while after < end and (changes := source.changes(after, BATCH)):
        yield from (one for one in changes if one.packed is not None and one.fetched_at >= since)
        after = changes[-1].seq
        report(after, end)


class _SitemapWriter:
    """The files of a sitemap, under names that are not theirs until all are whole."""

    def __init__(self, path: Path) -> None:
        self._path, self._packed = path, path.suffix == _GZIP
        suffix = "".join(path.suffixes[-2:]) if self._packed else path.suffix
        self._stem, self._suffix = path.name.removesuffix(suffix), suffix
        self._parts: list[Path] = []
        self._urls = self._here = self._size = 0
        self._host = ""
        self._file: IO[bytes] | None = None

    def __enter__(self) -> "_SitemapWriter":
        return self

    def __exit__(self, *error: object) -> None:
        if self._file:
            self._file.close()
        for number in range(1, len(self._parts) + 1):
            self._draft(number).unlink(missing_ok=True)

    def add(self, url: str, modified: float | None) -> None:
        """Adds a URL; begins another file where this one is full."""
        date = _format_date(modified)
        line = f"<url><loc>{escape(url)}</loc>{f'<lastmod>{date}</lastmod>' if date else ''}</url>\n".encode()
        if not self._file or self._here == MAX_URLS or self._size + len(line) > MAX_SITEMAP_BYTES - len(_END):
            self._begin()
        assert self._file
        self._file.write(line)
        self._here, self._size, self._urls = self._here + 1, self._size + len(line), self._urls + 1
        self._host = self._host or host_of(url)

    def publish(self) -> int:
        """Gives all files their names, the index last; returns how many URLs are in them."""
        if not self._parts:
            self._begin()
        self._end()
        if len(self._parts) == 1:
            self._draft(1).replace(self._path)
            return self._urls
        for number, part in enumerate(self._parts, 1):
            self._draft(number).replace(part)
        locs = (escape(f"{self._host}/{part.name}") for part in self._parts)
        lines = "".join(f"<sitemap><loc>{loc}</loc></sitemap>\n" for loc in locs)
        index = f"{_HEAD}<sitemapindex {_NAMESPACE}>\n{lines}</sitemapindex>\n"
        with self._open(self._draft(1)) as file:
            file.write(index.encode())
        self._draft(1).replace(self._path)
        return self._urls

    def _begin(self) -> None:
        self._end()
        if len(self._parts) == MAX_URLS:
            raise EngineError(f"there are more URLs than {MAX_URLS:,} sitemaps may name")
        self._parts.append(self._path.with_name(f"{self._stem}-{len(self._parts) + 1}{self._suffix}"))
        self._file = self._open(self._draft(len(self._parts)))
        head = f"{_HEAD}<urlset {_NAMESPACE}>\n".encode()
        self._file.write(head)
        self._here, self._size = 0, len(head)

    def _end(self) -> None:
        if self._file:
            self._file.write(_END.encode())
            self._file.close()
            self._file = None

    def _draft(self, number: int) -> Path:
        return self._path.with_name(f"{self._path.name}.{number}.part")

    def _open(self, path: Path) -> IO[bytes]:
        path.touch(OWNER_ONLY)
        return cast(IO[bytes], gzip.open(path, "wb")) if self._packed else path.open("wb")


def _format_date(modified: float | None) -> str:
    """Formats a day as W3C's dates have it; '' for none, and for what no calendar has."""
    try:
        return "" if modified is None else datetime.fromtimestamp(modified, UTC).date().isoformat()
    except (ValueError, OverflowError, OSError):
        return ""
