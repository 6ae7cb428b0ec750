"""Keeps Scrapy from logging a record for each page."""

from typing import Any

from scrapy.logformatter import LogFormatter


class QuietLogFormatter(LogFormatter):
    """Logs nothing for each page: the run log counts them, and a record costs as much as a gate."""

    def crawled(self, *_: Any) -> None:  # type: ignore[override]
        """Logs nothing of a response."""

    def scraped(self, *_: Any) -> None:  # type: ignore[override]
        """Logs nothing of a visit that passed the whole walk."""

    def download_error(self, *_: Any, **__: Any) -> None:  # type: ignore[override]
        """Logs nothing of a missing answer; its visit says so."""
