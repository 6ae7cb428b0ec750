"""Keeps Scrapy from logging a record for each page."""

from logging import INFO
from typing import Any

from scrapy.logformatter import LogFormatter, LogFormatterResult

from engine.model import Visit


class QuietLogFormatter(LogFormatter):
    """Logs nothing for each page: the run log counts them, and a record costs as much as a gate."""

    def crawled(self, *_: Any) -> None:  # type: ignore[override]
        """Logs nothing of a response."""

    def scraped(self, *_: Any) -> None:  # type: ignore[override]
        """Logs nothing of a visit that passed the whole walk."""

    def dropped(self, item: Any, exception: BaseException, *_: Any) -> LogFormatterResult:
        """Says what an own pipeline dropped; of a visit its URL, for the rest of it is long."""
        what = item.fetch.claim.url if isinstance(item, Visit) else item
        return {"level": INFO, "msg": "dropped: %(why)s: %(what)s", "args": {"why": exception, "what": what}}

    def download_error(self, *_: Any, **__: Any) -> None:  # type: ignore[override]
        """Logs nothing of a missing answer; its visit says so."""
