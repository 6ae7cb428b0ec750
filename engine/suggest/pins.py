"""Pins pages that the operator wants to come first for a query.

pins.tsv   query TAB URL; of several lines for one query the first comes first
"""

from collections.abc import Mapping, Sequence

from engine.index.query import AnyOf, Field, Query
from engine.index.scoring import Best
from engine.index.searching import RankedDocument, Snapshot
from engine.text.analysis import simplify_letters
from engine.url import canonicalize

FILE = "pins.tsv"
MAX_LINES = 10_000
MAX_PINS = 10  # pages for one query


def parse_pin(line: str) -> tuple[str, str]:
    """Parses a line into a query, as fold_query() folds it, and a URL. Raises ValueError."""
    query, _, url = line.partition("\t")
    if not fold_query(query) or not url.strip():
        raise ValueError("a query, a tab, and the URL of the page that comes first")
    try:
        return fold_query(query), canonicalize(url.strip())
    except ValueError as error:
        raise ValueError(f"a URL that can be used: {error}") from error


def group_by_query(lines: Sequence[tuple[str, str]]) -> Mapping[str, Sequence[str]]:
    """Groups the URLs of the first MAX_LINES lines by query."""
    found: dict[str, dict[str, None]] = {}
    for query, url in lines[:MAX_LINES]:
        urls = found.setdefault(query, {})
        if len(urls) < MAX_PINS:
            urls[url] = None
    return {query: tuple(urls) for query, urls in found.items()}


def fold_query(typed: str) -> str:
    """Folds a query: it is the same whatever the case, accents and spaces of its words."""
    return " ".join(simplify_letters(typed).split())


class PinnedOrder:
    """The hits in their order, some documents `first`; `best` are the best that the query finds."""

    def __init__(self, snapshot: Snapshot, query: Query, best: Best, first: Sequence[int]) -> None:
        self._snapshot, self._best, self._first = snapshot, best, frozenset(first)
        self.pinned, self.total = list[RankedDocument](), best.total
        if first:
            fields = tuple(Field("url", url) for url in dict.fromkeys(snapshot.urls(first)))
            among = snapshot.find(query, len(first), snapshot.filter([AnyOf(fields)]))
            scores = dict(zip(among.documents.tolist(), among.scores.tolist(), strict=True))
            self.pinned = [RankedDocument(scores.get(document, 0.0), document) for document in first]
            self.total += len(first) - len(scores)

    def __call__(self, count: int, start: int = 0) -> list[RankedDocument]:
        """Ranks the first `count` but those before `start`; what the query does not find scores 0."""
        if not self.pinned:
            return self._snapshot.rank(self._best, count, start)
        ranked = self._snapshot.rank(self._best, count)
        return [*self.pinned, *(one for one in ranked if one.document not in self._first)][start:count]

    def find_rank(self, document: int, unpinned: int) -> int:
        """Finds the place of a document by the one that it had if none were pinned (0: none)."""
        pinned = [one.document for one in self.pinned]
        if document in pinned:
            return pinned.index(document) + 1
        if not (pinned and unpinned):
            return unpinned
        before = {one.document for one in self._snapshot.rank(self._best, unpinned - 1)}
        return unpinned + len(self._first - before)
