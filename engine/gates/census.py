"""Counts documents by host, in two generations and in the crawl database."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import sqlalchemy as sa

from engine.gates.rules import HostDocuments
from engine.index.searching import OpenIndex
from engine.store import count_pages_by_host, count_withdrawn


class OldDocuments(NamedTuple):
    """Documents that the old generation has of a host; their URLs where the new one has fewer."""

    documents: int
    urls: Sequence[str] = ()


def count_old_documents(index: OpenIndex, now: Mapping[str, int]) -> dict[str, OldDocuments]:
    """Counts the old generation's documents by host, with their URLs where the new one has fewer."""
    return {
        host: OldDocuments(count, index.list_host_urls(host) if count > now.get(host, 0) else ())
        for host, count in index.count_by_host().items()
    }


def count_by_host(
    connection: sa.Connection, old: Mapping[str, OldDocuments], now: Mapping[str, int], seq: int
) -> dict[str, HostDocuments]:
    """Counts documents by host in the crawl database and both generations; `seq` is the mark of the new one.

    Where a host has fewer documents than before, the crawl database says which URLs were withdrawn.
    """
    stored = count_pages_by_host(connection, seq)
    return {
        name: HostDocuments(
            before=old[name].documents if name in old else 0,
            now=now.get(name, 0),
            stored=stored.get(name, 0),
            withdrawn=count_withdrawn(connection, old[name].urls) if name in old else 0,
        )
        for name in {*stored, *now, *old}
    }
