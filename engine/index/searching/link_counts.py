"""Looks up what others say of pages, in the link graph beside an index."""

from collections.abc import Sequence

from engine.index.reader import LinkGraphReader
from engine.linkgraph import Cluster, Inlinks
from engine.ranking import Ranking


class LinkCounts:
    """Inlinks, numbers and copies of URLs, as a ranking weighs them."""

    def __init__(self, links: LinkGraphReader, ranking: Ranking) -> None:
        self._links, self._pivots = links, ranking.pivots

    def inlinks(self, urls: Sequence[str]) -> dict[str, Inlinks]:
        """Looks up the inlinks of those of the URLs that have any."""
        return self._links.inlinks(urls, self._pivots)

    def votes(self, urls: Sequence[str]) -> dict[str, float]:
        """Adds up the votes for those of the URLs that have any."""
        return self._links.votes(urls, self._pivots)

    def count_linking_pages(self, urls: Sequence[str]) -> dict[str, int]:
        """Looks up how many pages link to those of the URLs that are known."""
        return self._links.count_linking_pages(urls)

    def numbers(self, urls: Sequence[str]) -> list[int]:
        """Looks up the URLs' numbers, as keys of the index have what pages link to."""
        return self._links.numbers(urls)

    def clusters(self, urls: Sequence[str]) -> dict[str, Cluster]:
        """Looks up the copies of those of the URLs that have any (requirement 59)."""
        return self._links.clusters(urls)
