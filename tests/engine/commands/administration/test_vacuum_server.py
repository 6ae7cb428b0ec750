"""`scrapy vacuum` with a crawl database on a server."""

import os
import re
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from engine.database import open_database, open_run_locks, pages
from tests.engine.backup.archives import server_folder
from tests.engine.database import rows
from tests.running import scrapy

LINE = re.compile(r"^(\S+) +([\d,]+) bytes before +([\d,]+) now$", re.MULTILINE)


@pytest.mark.folder
@pytest.mark.postgresql
@pytest.mark.sqlite
def test_what_it_says(tmp_path: Path, database_url: str) -> None:
    """Crawls on whatever machine are kept out."""
    data = server_folder(tmp_path, database_url)
    row = rows.odd_rows(pages)[0]
    large = [{**row, "url_id": number, "content": os.urandom(20_000)} for number in range(1_000, 1_200)]
    engine = open_database(database_url)
    with engine.begin() as connection:
        # The server vacuums by itself, here every five seconds: sometimes before `scrapy vacuum` measures.
        connection.exec_driver_sql(
            "ALTER TABLE pages SET (autovacuum_enabled = off, toast.autovacuum_enabled = off)"
        )
        connection.execute(sa.insert(pages), large)
    with engine.begin() as connection:
        connection.execute(sa.delete(pages))
    engine.dispose()
    with closing(open_run_locks(database_url)) as locks:
        locks.lock(7)
        said = scrapy(data, "vacuum", code=2).stderr
        assert f"another crawl is using {database_url}: 'scrapy vacuum' has to wait for it" in said
    found = LINE.findall(scrapy(data, "vacuum").stdout)
    assert [name for name, _, _ in found] == [database_url, "index/g000001/links.db"]
    before, after = (int(number.replace(",", "")) for number in found[0][1:])
    assert after < before - 3_000_000
    with closing(open_run_locks(database_url)) as locks:
        locks.lock(7)
