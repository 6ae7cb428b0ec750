"""Defines two kinds of errors: PageError is counted and the crawl goes on, EngineError ends the command."""

from collections.abc import Hashable
from pathlib import Path

DAMAGED_BODY = "damaged body"  # the kind of a body that cannot be unpacked, or was cut


class PageError(Exception):
    """The site sent what we cannot use: count it under `kind`, drop the page, crawl on."""

    def __init__(self, kind: str, detail: str = "") -> None:
        super().__init__(f"{kind}: {detail}" if detail else kind)
        self.kind = kind


class EngineError(Exception):
    """A mistake of the operator or a bug: ends the command with this one line and exit code 2."""


class IndexMissing(EngineError):  # noqa: N818 - says what is so, as PageError's kinds do
    """Nothing was ever published: there is no index to search yet; a crawl makes one."""


class Busy(EngineError):  # noqa: N818 - the same
    """Others are writing to the crawl database for longer than one waits: the same may do in a moment."""


class Unreadable(EngineError):  # noqa: N818 - the same
    """The crawl database is damaged, or its disk is full or fails; one on a server (a URL) may be away."""

    def __init__(self, path: Path | str, why: str) -> None:
        self.is_on_server = isinstance(path, str)
        mend = (
            "is the server up, and has its disk room? It is asked again"
            if self.is_on_server
            else "'scrapy check' says what is damaged; restore a damaged crawl database from a backup"
        )
        super().__init__(f"cannot use {path} ({why}): {mend}")
        self.path = path


class DamagedError(EngineError):
    """A file of the index is not what was written; `at` is the byte from which on, as far as is known.

    So is a schema of a server, whose value stands for the path then.
    """

    def __init__(self, path: Hashable, at: int = 0) -> None:
        where = f" from byte {at:,} on" if at else ""
        super().__init__(f"{path} is damaged{where}: 'scrapy rebuild' builds a new one")
        self.path, self.at = path, at
