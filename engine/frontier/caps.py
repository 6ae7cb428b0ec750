"""Caps endless spaces: queries of a path, pages of a host."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import chain

import sqlalchemy as sa

from engine.database import list_table, urls
from engine.frontier.domains import DomainCaps, DomainLimits
from engine.frontier.new_url import NewUrl
from engine.frontier.suspects import Suspects

_AFTER_QUESTION = "@"  # the character that sorts next to "?"
_PATHS = list_table("paths", urls.c.url.type)
_SOME_QUERIES = (
    sa.select(urls.c.id)
    .where(urls.c.url > _PATHS.c.value + "?", urls.c.url < _PATHS.c.value + _AFTER_QUESTION)
    .limit(sa.bindparam("most"))
    .correlate(_PATHS)
    .subquery()
)
_QUERIES = sa.select(
    _PATHS.c.value.label("path"),
    sa.select(sa.func.count()).select_from(_SOME_QUERIES).scalar_subquery().label("queries"),
)


class Caps:
    """Caps on URLs; reports what it refuses to `suspects`, under the rule's name."""

    def __init__(
        self,
        suspects: Suspects,
        queries: int,
        host_pages: int,
        domain: DomainLimits,
        is_own: Callable[[str], bool],
    ) -> None:
        self.domains = DomainCaps(suspects, domain, is_own)
        self._suspects = suspects
        self._queries = queries
        self._host_pages = host_pages
        self._asked: Counter[str] = Counter()  # queries by path

    def load_counts(
        self, connection: sa.Connection, new: Mapping[str, Sequence[NewUrl]]
    ) -> Mapping[str, int]:
        """Loads what admitting these new URLs needs, by host: those of all in one statement.

        Returns how many URLs are known of each host that was counted for its domain.
        """
        known = self.domains.load_counts(connection, new)
        parts = (one.url.partition("?") for one in chain.from_iterable(new.values()))
        paths = [*{path for path, question, _ in parts if question}]
        rows = connection.execute(_QUERIES, {"paths": paths, "most": self._queries}) if paths else ()
        self._asked = Counter({row.path: row.queries for row in rows})
        return known

    def admit(self, host: str, known: int, new: Sequence[NewUrl]) -> Sequence[NewUrl]:
        """Selects those of a host's new URLs that may be queued; `known`: how many the database has."""
        new = self.domains.admit(host, new)
        room = self._host_pages - known
        kept: list[NewUrl] = []
        for one in new:
            path, question, _ = one.url.partition("?")
            if len(kept) >= room:
                self._suspects.count_refused("links", "host pages", one.url)
            elif question and self._asked[path] >= self._queries:
                self._suspects.count_refused("links", "queries", one.url)
            else:
                kept.append(one)
                self._asked[path] += bool(question)
        return kept
