"""Keeps clusters of copies as a table of their own in the link graph's schema."""

from collections.abc import Iterable, Sequence

from engine.linkgraph.clusters import MOST_NAMED, MOST_VOTERS, Cluster
from engine.linkgraph.edges import unpack_targets
from engine.linkgraph.location import GraphSchema
from engine.linkgraph.postgresql import queries
from engine.linkgraph.postgresql.arrays import Digests, as_stored, digest_of_name
from engine.linkgraph.postgresql.connection import SchemaConnection
from engine.linkgraph.postgresql.tables import PREFIX

_STAND_ALONE = "DELETE FROM copies WHERE digest = ANY(%s::bytea[])"
_JOIN = """
INSERT INTO copies SELECT * FROM unnest(%s::bytea[], %s::text[], %s::bytea[], %s::text[])
ON CONFLICT (digest) DO UPDATE SET page_digest = excluded.page_digest, page = excluded.page
"""
_COPIES = f"""
SELECT place, number, urls FROM unnest(%s::bytea[]) WITH ORDINALITY AS asked (digest, place)
CROSS JOIN LATERAL (SELECT count(*) AS number FROM copies WHERE page_digest = asked.digest) counted
CROSS JOIN LATERAL (
    SELECT array_agg(url ORDER BY url) AS urls FROM (
        SELECT url FROM copies WHERE page_digest = asked.digest ORDER BY left(url, {PREFIX}), url LIMIT %s
    ) few
) named WHERE number > 0 ORDER BY place
"""  # noqa: S608  (text of ours)


class ServerClusters:
    """The copies that the index knows of; the protocol is Clusters."""

    def __init__(self, schema: GraphSchema) -> None:
        self._connection = SchemaConnection(schema)

    def close(self) -> None:
        """Closes the connection."""
        self._connection.close()

    def update(self, pairs: Iterable[tuple[str, str]]) -> None:
        """Updates of which other page each URL is a copy; '' for one that is none."""
        pairs = [(as_stored(url), as_stored(page)) for url, page in pairs]
        kept = {url: page for url, page in pairs if page}
        with self._connection.step() as step:
            step.execute(_STAND_ALONE, Digests.of(url for url, page in pairs if not page))
            if kept:
                urls, pages = list(kept), list(kept.values())
                step.execute(_JOIN, Digests.of(urls), urls, Digests.of(pages), pages)

    def copies_of(self, pages: Sequence[str]) -> dict[str, Cluster]:
        """Loads the copies of those of the pages that have any."""
        rows = self._connection.fetch(_COPIES, Digests.of(pages), MOST_NAMED)
        return {pages[place - 1]: Cluster(number, tuple(urls)) for place, number, urls in rows}

    def count_linking_pages(self, urls: Sequence[str], without: str) -> dict[str, int]:
        """Counts the pages that link to each of the URLs, by this name of it; those with any.

        The links of one page, `without`, do not count.
        """
        outlinks = self._connection.fetch(queries.OUTLINKS, Digests.of([without]))
        left_out = unpack_targets(edges for _, edges in outlinks)
        rows = self._connection.fetch(queries.LINKING, Digests.of(urls))
        return {
            urls[place - 1]: rest for place, number, pages in rows if (rest := pages - (number in left_out))
        }

    def voters(self, url: str) -> frozenset[str]:
        """Loads who links to a URL, by this name of it; the first MOST_VOTERS of them."""
        rows = self._connection.fetch(queries.VOTERS, digest_of_name(url), MOST_VOTERS)
        return frozenset(name for (name,) in rows)
