"""Reads the crawl database's change log for the index, each change with its page still packed."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from engine.model import Links, Page
from engine.packing import PackedPage, packing


@dataclass(frozen=True)
class Change:
    """One step of the crawl database's history, as the index follows it.

    `seq` grows; `packed` is None when the URL has left (gone, noindex, disallowed, removed).
    """

    seq: int
    url: str
    packed: PackedPage | None
    fetched_at: float = 0.0  # its page, or the last answer of a URL without one; seconds since 1970, UTC
    represented_by: str = ""  # the URL that represents this one, when that is another
    copy_of: str = ""  # the URL whose page has the same text, or nearly so, when this one was given up for it
    machine: str = ""  # at which its host answers, where that is public

    @cached_property
    def page(self) -> Page | None:
        """Unpacks the page without its links, on first access."""
        if self.packed is None:
            return None
        content, language, media_type = self.packed
        return packing.unpack(content, {"url": self.url, "language": language, "media_type": media_type})

    @property
    def links(self) -> Links | None:
        """Unpacks the links of the page, each time."""
        return None if self.packed is None else packing.unpack_links(self.packed.content)

    @cached_property
    def size(self) -> int:
        """Returns the bytes that the page's text and links take unpacked."""
        return 0 if self.packed is None else packing.unpacked_size(self.packed.content)


class ChangeSource(Protocol):
    """The crawl database, as those see it who follow its changes."""

    def changes(self, after: int, limit: int) -> Sequence[Change]:
        """Lists what changed after a sequence number, oldest first; a URL stands at its last change only."""

    def last_change(self) -> int:
        """Returns the newest sequence number, 0 when there is none."""

    def identity(self) -> str:
        """Returns what tells this database from others, and from what it was before a failover."""
