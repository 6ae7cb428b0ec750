"""Stores pages in a crawl database without a crawl, as its commits would."""

from collections.abc import Iterable
from contextlib import closing
from itertools import count, islice
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from engine.database import changes, hosts, pages, urls
from engine.model.page import Page, State
from engine.packing.packing import pack
from engine.store.page_store import Store
from engine.text.duplicates.fingerprint import compute_fingerprint
from engine.url import host_of

AT = 1_800_000_000.0  # seconds since 1970: when all were fetched
BATCH = 10_000  # pages to a transaction: some 20 MB
# What makes it quick: a crawl has neither.
_HASTE = ("PRAGMA synchronous=OFF", "PRAGMA cache_size=-200000")


def store_pages(data_dir: Path, texts: Iterable[Page]) -> None:
    """Write pages of different URLs into a new database; a million take three minutes and 1 GB of disk."""
    left, host_ids, numbers = iter(texts), dict[str, int](), count(1)
    with closing(Store(data_dir)) as store, store.engine.connect() as connection:
        for pragma in _HASTE:
            connection.exec_driver_sql(pragma)
        connection.commit()
        while batch := list(islice(left, BATCH)):
            found = {host_of(page.url) for page in batch} - host_ids.keys()
            new = {host: number for number, host in enumerate(sorted(found), len(host_ids) + 1)}
            host_ids |= new
            numbered = list(zip(numbers, batch, strict=False))
            rows = {
                hosts: [{"id": number, "host": host} for host, number in new.items()],
                urls: [_url_row(number, page, host_ids[host_of(page.url)]) for number, page in numbered],
                pages: [_page_row(number, page) for number, page in numbered],
                changes: [{"url": page.url} for page in batch],
            }
            for table, of_table in rows.items():
                if of_table:
                    connection.execute(sa.insert(table), of_table)
            connection.commit()
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")


def _url_row(number: int, page: Page, host_id: int) -> dict[str, Any]:
    return {
        "id": number,
        "url": page.url,
        "host_id": host_id,
        "state": State.STORED,
        "found_at": AT,
        "visited_at": AT,
        "status": 200,
    }


def _page_row(number: int, page: Page) -> dict[str, Any]:
    return {
        "url_id": number,
        "fetched_at": AT,
        "language": page.language,
        "media_type": page.media_type,
        "fingerprint": compute_fingerprint(page),
        "content": pack(page),
    }
