"""Caps endless spaces: queries of a path, pages of a host."""

from collections.abc import Callable, Sequence

import sqlalchemy as sa

from engine.database import urls
from engine.frontier.domains import DomainCaps, DomainLimits
from engine.frontier.new_url import NewUrl
from engine.frontier.suspects import Suspects

_AFTER_QUESTION = "@"  # the character that sorts next to "?"


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

    def admit(
        self, connection: sa.Connection, host: str, known: int, new: Sequence[NewUrl]
    ) -> Sequence[NewUrl]:
        """Selects those of a host's new URLs that may be queued; `known`: how many the database has."""
        new = self.domains.admit(host, new)
        room = self._host_pages - known
        asked: dict[str, int] = {}
        kept: list[NewUrl] = []
        for one in new:
            path, question, _ = one.url.partition("?")
            if question and path not in asked:
                asked[path] = _count_queries(connection, path, self._queries)
            if len(kept) >= room:
                self._suspects.count_refused("links", "host pages", one.url)
            elif question and asked[path] >= self._queries:
                self._suspects.count_refused("links", "queries", one.url)
            else:
                kept.append(one)
                if question:
                    asked[path] += 1
        return kept


def _count_queries(connection: sa.Connection, path: str, most: int) -> int:
    """Counts the URLs of this path with different queries in the database, up to `most`."""
    of_path = (urls.c.url > f"{path}?") & (urls.c.url < path + _AFTER_QUESTION)
    some = sa.select(urls.c.id).where(of_path).limit(most).subquery()
    return connection.execute(sa.select(sa.func.count()).select_from(some)).scalar_one()
