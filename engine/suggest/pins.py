"""Pins: the page that the operator wants to come first for a query.

pins.tsv   query TAB URL; of several lines for one query the first comes first
"""

from collections.abc import Mapping, Sequence

import numpy as np

from engine.index.best import Best
from engine.index.query import Query
from engine.index.snapshot import Ranked, Snapshot
from engine.text.accents import simplified
from engine.url import canonicalize

FILE = "pins.tsv"
MAX_LINES = 10_000
MAX_PINS = 10  # pages for one query


def pin(line: str) -> tuple[str, str]:
    """A query, as `asked` folds it, and a URL. Raises ValueError."""
    query, _, url = line.partition("\t")
    if not asked(query) or not url.strip():
        raise ValueError("a query, a tab, and the URL of the page that comes first")
    try:
        return asked(query), canonicalize(url.strip())
    except ValueError as error:
        raise ValueError(f"a URL that can be used: {error}") from error


def by_query(lines: Sequence[tuple[str, str]]) -> Mapping[str, Sequence[str]]:
    """URLs by query, of the first MAX_LINES lines."""
    found: dict[str, dict[str, None]] = {}
    for query, url in lines[:MAX_LINES]:
        urls = found.setdefault(query, {})
        if len(urls) < MAX_PINS:
            urls[url] = None
    return {query: tuple(urls) for query, urls in found.items()}


def asked(typed: str) -> str:
    """A query is the same whatever the case, accents and spaces of its words."""
    return " ".join(simplified(typed).split())


def documents(snapshot: Snapshot, urls: Sequence[str]) -> list[int]:
    """Those of the pages that the index has, in this order."""
    return [int(document) for url in urls for document in snapshot.reader.holding("url", url)]


def placed(
    snapshot: Snapshot, query: Query, best: Best, first: Sequence[int], count: int, start: int
) -> tuple[list[Ranked], int]:
    """The first `count` but those before `start` where some documents come `first`, and how many there are.

    `best` are the best `count` that the query finds; a document that it does not find scores 0.
    """
    if not first:
        return snapshot.ranked(best, count, start), best.total
    among = snapshot.find(query, len(first), np.unique(np.array(first, np.int32)))
    scores = dict(zip(among.documents.tolist(), among.scores.tolist(), strict=True))
    pinned = [Ranked(scores.get(document, 0.0), document) for document in first]
    others = [one for one in snapshot.ranked(best, count) if one.document not in first]
    return [*pinned, *others][start:count], best.total + len(first) - len(scores)
