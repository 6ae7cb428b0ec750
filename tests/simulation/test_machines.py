"""At which machine a host answers is kept, and the index hears of it."""

from pathlib import Path

import pytest
import sqlalchemy as sa

from engine.database import hosts
from tests.crawling import HOST, Clock, Web, crawl_of, run

ADDRESSES = [
    ("93.184.216.34", "93.184.216.34", "an address of the open Internet"),
    ("2606:4700:1:2:3::4", "2606:4700:1:2::/64", "a network of IPv6"),
    ("10.0.0.7", "", "an intranet has many owners behind one address"),
    ("", "", "nobody knows"),
]


@pytest.mark.parametrize(("address", "machine", "why"), ADDRESSES)
def test_where_a_host_answers(tmp_path: Path, address: str, machine: str, why: str) -> None:
    web, clock = Web({f"{HOST}/": []}, addresses={HOST: address}), Clock()
    crawl = crawl_of(tmp_path, clock)
    run(crawl, web, clock)
    with crawl.store.engine.connect() as connection:
        kept = connection.execute(sa.select(hosts.c.machine)).scalar_one() or ""
    changed = [change.machine for change in crawl.store.changes(0, 99) if change.page]
    assert (kept, changed) == (machine, [machine]), why
