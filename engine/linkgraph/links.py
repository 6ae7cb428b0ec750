"""Defines what a link graph does: it counts how many pages and voters link to a URL, and on which words.

It is kept beside the index and, like the index, can be made again from the crawl database.
"""

from collections.abc import Iterable, Sequence
from typing import Protocol

from engine.linkgraph.inlinks import Anchor, Inlinks, VotePivots
from engine.model import Links

MAX_ANCHORS = 64  # different texts for one target, those of most voters first
MAX_REMEMBERED = 1 << 16  # names whose numbers need not be asked for: 20 MB, or 200 if all are the longest


class LinkGraph(Protocol):
    """Outlinks of the pages in the store, and the inlinks that follow from them (requirements 300, 301).

    What writes is one step: after a kill all of it is there, or nothing.
    """

    def close(self) -> None:
        """Closes it."""

    def replace(self, sources: Iterable[tuple[str, Links | None]]) -> None:
        """Replaces the outlinks of these pages in one step; None: the page has left, its links with it.

        A site's pages mostly link to the same targets with the same words, and what a batch of them says is
        added up before it is written: the larger the batch, the less a page costs.
        """

    def set_aliases(self, aliases: Sequence[tuple[str, str]]) -> None:
        """Lets links to the first of each pair count for the second from now on; '': for itself."""

    def set_machines(self, found: Sequence[tuple[str, str]]) -> None:
        """Saves at which machines the hosts of these URLs answer."""

    def inlinks(self, urls: Sequence[str], pivots: VotePivots) -> dict[str, Inlinks]:
        """Counts the inlinks of URLs that have any; a voter casts pages / (pages + half) of a vote."""

    def votes(self, urls: Sequence[str], pivots: VotePivots) -> dict[str, float]:
        """Adds up the votes for URLs that have any: those of their inlinks, in half of the time."""

    def count_linking_pages(self, urls: Sequence[str]) -> dict[str, int]:
        """Counts the pages that link to those of the URLs that are known: `pages` of their inlinks."""

    def anchors(self, urls: Sequence[str]) -> dict[str, list[Anchor]]:
        """Loads the anchor texts of URLs that have any, those of most voters first."""

    def target_numbers(self, urls: Sequence[str]) -> dict[str, list[int]]:
        """Loads the numbers of what each URL, a page in the store, links to."""

    def numbers(self, urls: Sequence[str]) -> list[int]:
        """Loads the numbers of these URLs, and of those for which links count as for them."""

    def stale_urls(self, limit: int) -> list[str]:
        """Loads URLs of pages in the store whose anchor texts changed since they were indexed."""

    def mark_fresh(self, urls: Sequence[str]) -> None:
        """Marks URLs as indexed with the anchor texts of now."""

    def mark_all_fresh(self) -> None:
        """Marks every page as fresh: all are about to be indexed anew."""

    def count_pages(self) -> int:
        """Counts the pages in the store, as far as the graph has followed it."""
