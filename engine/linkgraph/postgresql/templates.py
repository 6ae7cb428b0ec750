"""Keeps the blocks of pages and the templates of hosts in the link graph's schema."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any

from engine.linkgraph import templates
from engine.linkgraph.checksums import checksum_bytes
from engine.linkgraph.location import GraphSchema
from engine.linkgraph.postgresql.arrays import Digests, to_numbers
from engine.linkgraph.postgresql.checksums import add_to_checksums
from engine.linkgraph.postgresql.connection import SchemaConnection, Step
from engine.linkgraph.templates import (
    GroupOf,
    digest_of,
    digest_of_host,
    pack_numbers,
    select_template_blocks,
)

HOSTS_AT_ONCE = 16  # that are learned in one step: a kill loses none of it, and its samples take 13 MB
NAMES_AT_ONCE = 10_000  # that are read at once
_PAGES = """
SELECT asked.place, id, numbers FROM unnest(%s::bytea[]) WITH ORDINALITY AS asked (digest, place)
JOIN names USING (digest) LEFT JOIN blocks ON page = id ORDER BY asked.place
"""
_FORGET = "DELETE FROM blocks WHERE page = ANY(%s::bigint[])"
_STORED = "SELECT name FROM outlinks JOIN names ON id = source"
_COUNT = """
INSERT INTO templates AS kept (host, pages) SELECT * FROM unnest(%s::bigint[], %s::bigint[])
ON CONFLICT (host) DO UPDATE SET pages = kept.pages + excluded.pages, changed = true
"""
_GROWN = """
SELECT host FROM templates WHERE host = ANY(%s::bigint[]) AND changed AND pages >= greatest(%s, %s * learned)
"""
_CHANGED = "SELECT host FROM templates WHERE changed ORDER BY host"
_SAMPLED = """
SELECT asked.host, numbers FROM unnest(%s::bigint[]) AS asked (host)
CROSS JOIN LATERAL (SELECT numbers FROM blocks WHERE blocks.host = asked.host ORDER BY place LIMIT %s) sampled
"""
_BLOCKS = "SELECT host, numbers FROM templates WHERE host = ANY(%s::bigint[])"
_LEARNED = """
UPDATE templates SET learned = pages, changed = false, numbers = %s::bigint[] WHERE host = %s
"""
_STALE = """
INSERT INTO stale SELECT page FROM blocks WHERE host = %s
    AND EXISTS (SELECT 1 FROM unnest(numbers) AS held (number) WHERE number = ANY(%s::bigint[]))
ON CONFLICT DO NOTHING
"""


class ServerTemplates:
    """Templates in a schema; the protocol is Templates."""

    def __init__(self, schema: GraphSchema, group_of: GroupOf) -> None:
        self._group_of = group_of
        self._connection = SchemaConnection(schema)

    def close(self) -> None:
        """Closes the connection."""
        self._connection.close()

    def replace(self, pages: Iterable[tuple[str, Collection[int] | None]]) -> None:
        """Replaces the blocks of these pages, which the link graph has; None: the page has left."""
        numbers = dict(pages)
        if not numbers:
            return
        with self._connection.step() as step:
            hosts = _replace_blocks(step, numbers, self._group_of)
        if hosts:
            grown = self._connection.fetch(_GROWN, to_numbers(hosts), templates.FEWEST, templates.GROWTH)
            self._learn([host for (host,) in grown])

    def sample_filter(self) -> Callable[[str], bool]:
        """Returns a test whether a URL is in the sample of its host, of all pages of the link graph."""
        with self._connection.moment() as moment:
            portions = moment.read_portions(_STORED, at_once=NAMES_AT_ONCE)
            return templates.make_sample_filter(
                (name for rows in portions for (name,) in rows), self._group_of
            )

    def learn(self) -> None:
        """Learns every host whose pages changed since it was learned."""
        self._learn([host for (host,) in self._connection.fetch(_CHANGED)])

    def template_blocks(self, host: str) -> frozenset[int]:
        """Loads the numbers of the blocks of a host's template, as it was learned last."""
        rows = self._connection.fetch(_BLOCKS, to_numbers([digest_of_host(host)]))
        return frozenset(number for _, numbers in rows for number in numbers)

    def _learn(self, hosts: Sequence[int]) -> None:
        """Learns hosts in one step with the pages that become stale, so that a kill loses neither."""
        for start in range(0, len(hosts), HOSTS_AT_ONCE):
            with self._connection.step() as step:
                _learn_hosts(step, hosts[start : start + HOSTS_AT_ONCE])


def _replace_blocks(step: Step, numbers: dict[str, Collection[int] | None], group_of: GroupOf) -> list[int]:
    """Replaces the blocks of pages; returns the hosts where that changed any."""
    urls = list(numbers)
    counts: Counter[int] = Counter()
    changed, added = dict[int, tuple[Any, ...] | None](), 0
    for place, page, held in step.fetch(_PAGES, Digests.of(urls)):
        url = urls[place - 1]
        its = numbers[url]
        before, now = (None if some is None else pack_numbers(some) for some in (held, its))
        if now != before:
            host = digest_of_host(group_of(url))
            counts[host] += (before is None) - (now is None)
            added += checksum_bytes(page, now or b"") - checksum_bytes(page, before or b"")
            changed[page] = None if its is None else (page, host, digest_of(url), list(its))
    if changed:
        step.execute(_FORGET, to_numbers(changed))
        rows = (row for row in changed.values() if row)
        step.copy("blocks", ("int8", "int8", "int8", "int8[]"), rows)
        step.execute(_COUNT, to_numbers(counts), to_numbers(counts.values()))
        add_to_checksums(step, {"blocks": added})
    return list(counts)


def _learn_hosts(step: Step, hosts: Sequence[int]) -> None:
    sampled = defaultdict[int, list[Sequence[int]]](list)
    for host, numbers in step.fetch(_SAMPLED, to_numbers(hosts), templates.SAMPLE):
        sampled[host].append(numbers)
    before: dict[int, list[int]] = dict(step.fetch(_BLOCKS, to_numbers(hosts)))
    now = {host: sorted(select_template_blocks(sampled[host])) for host in hosts}
    step.execute_many(_LEARNED, [(to_numbers(numbers), host) for host, numbers in now.items()])
    moved = {host: set(numbers).symmetric_difference(before.get(host, ())) for host, numbers in now.items()}
    step.execute_many(_STALE, [(host, to_numbers(numbers)) for host, numbers in moved.items() if numbers])
    add_to_checksums(step, {"templates": sum(_count_changes(before, now))})


def _count_changes(before: dict[int, list[int]], now: dict[int, list[int]]) -> Iterator[int]:
    for host, numbers in now.items():
        yield checksum_bytes(host, pack_numbers(numbers))
        yield -checksum_bytes(host, pack_numbers(before.get(host, ())))
