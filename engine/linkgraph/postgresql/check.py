"""Verifies a link graph's schema: its tables and indexes, and the rows by their checksums."""

from collections.abc import Iterator
from contextlib import closing

from engine.linkgraph.checksums import FACTORS, PRIME, checksum_bytes
from engine.linkgraph.location import GraphSchema
from engine.linkgraph.postgresql.checksums import STORED, read_checksums
from engine.linkgraph.postgresql.connection import SchemaConnection, Step
from engine.linkgraph.postgresql.tables import RELATIONS, find_relations
from engine.linkgraph.templates import pack_numbers

ROWS_AT_ONCE = 1_000

_SUMS = {
    "votes": "SELECT sum(pages * mod(target * {0} + voter * {1}, {prime})) FROM votes",
    "said": "SELECT sum(pages * mod(target * {0} + anchor * {1} + voter * {2}, {prime})) FROM said",
}
"""What the rows of each table add up to."""

_PACKED = {
    "outlinks": "SELECT source, edges FROM outlinks",
    "blocks": "SELECT page, numbers FROM blocks",
    "templates": "SELECT host, numbers FROM templates WHERE numbers != '{}'",
}
"""Rows whose bytes the server cannot add up."""

# Each host's template says how many of its pages it knows.
_MISCOUNTED = """
SELECT 1 FROM templates WHERE pages != (SELECT count(*) FROM blocks WHERE blocks.host = templates.host)
LIMIT 1
"""


def find_schema_damages(schema: GraphSchema) -> Iterator[str]:
    """Yields damages of a link graph's schema, a word each. Raises Unreadable."""
    with closing(SchemaConnection(schema)) as connection, connection.moment() as moment:
        found = find_relations(moment, schema)
        if found != RELATIONS:
            yield "schema"
        if found >= RELATIONS:
            yield from _find_wrong_sums(moment)
            if moment.fetch(_MISCOUNTED):
                yield "templates"


def _find_wrong_sums(moment: Step) -> Iterator[str]:
    expected = read_checksums(moment.fetch(STORED))
    for table, query in _SUMS.items():
        ((total,),) = moment.fetch(query.format(*FACTORS, prime=PRIME))
        if (total or 0) != expected.get(table, 0):
            yield table
    for table, query in _PACKED.items():
        if _sum_bytes(moment, query) != expected.get(table, 0):
            yield table


def _sum_bytes(moment: Step, query: str) -> int:
    total = 0
    for rows in moment.read_portions(query, at_once=ROWS_AT_ONCE):
        for key, held in rows:
            total += checksum_bytes(key, held if isinstance(held, bytes) else pack_numbers(held))
    return total
