"""Reads the links of pages backwards, from a schema."""

from array import array
from collections.abc import Iterator, Sequence

from engine.linkgraph.location import GraphSchema
from engine.linkgraph.postgresql.arrays import Digests, digest_of_name
from engine.linkgraph.postgresql.connection import SchemaConnection
from engine.linkgraph.postgresql.tables import PREFIX
from engine.linkgraph.sources import LAST, Portion

LINKING_AT_ONCE = 10  # pages that are asked for: as many as are named
_IDS = """
SELECT place, id FROM unnest(%s::bytea[]) WITH ORDINALITY AS asked (digest, place) JOIN names USING (digest)
"""
_SOURCES = f"""
SELECT name, edges FROM names JOIN outlinks ON source = id
WHERE left(name, {PREFIX}) >= %s AND left(name, {PREFIX}) < %s ORDER BY left(name, {PREFIX}), name LIMIT %s
"""  # noqa: S608  (text of ours)
_LINKING = """
SELECT name, edges FROM (SELECT source, edges FROM outlinks ORDER BY source LIMIT %s) looked_at
JOIN names ON id = source WHERE position(%s::bytea IN edges) > 0 ORDER BY source
"""
# The numbers of a URL and of its aliases, as far as links to them count, those of one redirect first.
_TARGETS = """
WITH RECURSIVE wanted (target, path) AS (
    SELECT id, ARRAY[id] FROM names WHERE digest = %s
    UNION ALL SELECT alias, path || alias FROM wanted JOIN stands USING (target) WHERE alias <> ALL(path)
)
SELECT target FROM wanted WHERE EXISTS (SELECT 1 FROM votes WHERE votes.target = wanted.target)
ORDER BY cardinality(path), path LIMIT %s
"""


class ServerSources:
    """The links of a schema; the protocol is LinkSources."""

    def __init__(self, schema: GraphSchema) -> None:
        self._connection = SchemaConnection(schema)

    def close(self) -> None:
        """Closes the connection."""
        self._connection.close()

    def find_numbers(self, names: Sequence[str]) -> dict[int, str]:
        """Finds the numbers of those of the names that are known."""
        return {number: names[place - 1] for place, number in self._connection.fetch(_IDS, Digests.of(names))}

    def find_targets(self, url: str, limit: int) -> list[int]:
        """Finds the numbers of a URL and of its aliases that anybody links to, itself first."""
        return [target for (target,) in self._connection.fetch(_TARGETS, digest_of_name(url), limit)]

    def read_host(self, host: str, limit: int, at_once: int) -> Iterator[Portion]:
        """Reads the links of so many pages of a host, in the order of their URLs."""
        between = f"{host}/", f"{host}/{LAST}"
        with self._connection.moment() as moment:
            for rows in moment.read_portions(_SOURCES, *between, limit, at_once=at_once):
                yield [name for name, _ in rows], [edges for _, edges in rows]

    def read_linking(self, target: int, limit: int) -> Iterator[tuple[str, bytes]]:
        """Reads which of so many pages may link to a number: its bytes may lie across two others'."""
        number = array("q", [target]).tobytes()
        with self._connection.moment() as moment:
            for rows in moment.read_portions(_LINKING, limit, number, at_once=LINKING_AT_ONCE):
                yield from rows

    def load_name(self, number: int) -> str:
        """Loads the name that has a number."""
        ((name,),) = self._connection.fetch("SELECT name FROM names WHERE id = %s", number)
        return str(name)
