"""Keeps Scrapy from logging a record for each page."""

from typing import Any

from scrapy.logformatter import LogFormatter


class QuietLogFormatter(LogFormatter):
    """No log record for each page: the run log counts them, and a record costs as much as a gate."""

    def crawled(self, *_: Any) -> None:  # type: ignore[override]
        """A response."""

    def scraped(self, *_: Any) -> None:  # type: ignore[override]
        """A visit that passed all stations."""

    def download_error(self, *_: Any, **__: Any) -> None:  # type: ignore[override]
        """No answer; the visit says so."""
