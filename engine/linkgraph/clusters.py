"""Defines clusters of copies and the URL that represents each, beside the link graph."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

MOST_VOTERS = 1_000  # of one URL that are looked at: who has more is no stranger
MOST_NAMED = 10  # copies of one page that are listed; all of them are counted


class Cluster(NamedTuple):
    """The copies of a page: how many there are, and the URLs of the first of them."""

    copies: int = 0
    urls: tuple[str, ...] = ()


ALONE = Cluster()


class Clusters(Protocol):
    """The copies that the index knows of, and what the link graph tells of those that could stand."""

    def close(self) -> None:
        """Closes it."""

    def update(self, pairs: Iterable[tuple[str, str]]) -> None:
        """Updates of which other page each URL is a copy; '' for one that is none."""

    def copies_of(self, pages: Sequence[str]) -> dict[str, Cluster]:
        """Loads the copies of those of the pages that have any."""

    def count_linking_pages(self, urls: Sequence[str], without: str) -> dict[str, int]:
        """Counts the pages that link to each of the URLs, by this name of it; those with any.

        The links of one page, `without`, do not count.
        """

    def voters(self, url: str) -> frozenset[str]:
        """Loads who links to a URL, by this name of it; the first MOST_VOTERS of them."""
