"""`scrapy check` with a crawl database on a server."""

import json
from pathlib import Path

import pytest
import sqlalchemy as sa

from engine.database import open_database, pages
from tests.engine.backup.archives import server_folder
from tests.running import scrapy


@pytest.mark.postgresql
@pytest.mark.sqlite
def test_damaged_pages_are_named(tmp_path: Path, database_url: str) -> None:
    data = server_folder(tmp_path, database_url)
    assert json.loads(scrapy(data, "check", "--json").stdout) == {"damaged": []}
    (data / "admin.db").write_bytes(b"nobody reads it")
    assert json.loads(scrapy(data, "check", "--json").stdout) == {"damaged": []}
    engine = open_database(database_url)
    with engine.begin() as connection:
        connection.execute(sa.update(pages).values(content=b"nonsense"))
    engine.dispose()
    damaged = json.loads(scrapy(data, "check", "--json", code=1).stdout)["damaged"]
    assert {one["file"] for one in damaged} == {database_url}
    assert len([one for one in damaged if "cannot be unpacked" in one["what"]]) == 18
