"""`scrapy plan` with a crawl database on a server."""

import json
from pathlib import Path

import pytest

from tests.engine.backup.archives import server_folder
from tests.running import scrapy


@pytest.mark.folder
@pytest.mark.postgresql
@pytest.mark.sqlite
def test_its_size_is_that_on_the_server(tmp_path: Path, database_url: str) -> None:
    data = server_folder(tmp_path, database_url)
    (tmp_path / "file").mkdir()
    scrapy(tmp_path / "file", "restore", str(tmp_path / "backup.tar"))
    made, of_file = (json.loads(scrapy(one, "plan", "--json").stdout) for one in (data, tmp_path / "file"))
    assert made["known"] == of_file["known"]
    assert made["known"]["pages"] == 18
    assert made["disk"]["database_now"] > 1_000_000, "catalogues alone take seven megabytes"
    assert made["disk"]["index_now"] > 0
    assert "\ndatabase " in scrapy(data, "plan").stdout
