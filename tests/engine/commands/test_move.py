"""`scrapy move`: to a server and back, with the same answers."""

import shutil
from pathlib import Path

import pytest

from tests.engine.backup.archives import small_folder
from tests.running import scrapy, status

pytestmark = [pytest.mark.folder, pytest.mark.postgresql, pytest.mark.sqlite]


def test_there_and_back(tmp_path: Path, database_url: str) -> None:
    data = small_folder(tmp_path)
    before, found = status(data), scrapy(data, "search", "moulting").stdout.splitlines()[1:]
    said = scrapy(data, "move", database_url).stdout
    assert f'now write database = "{database_url}" into crawl.toml; {data / "crawl.db"} stays' in said
    crawl_toml = data / "crawl.toml"
    own = crawl_toml.read_text("utf-8") if crawl_toml.exists() else ""
    crawl_toml.write_text(f'database = "{database_url}"\n{own}', "utf-8")
    assert status(data) == before
    (data / "crawl.db").unlink()
    assert scrapy(data, "search", "moulting").stdout.splitlines()[1:] == found
    assert "now delete the line 'database' of crawl.toml" in scrapy(data, "move", "folder").stdout
    crawl_toml.write_text(own, "utf-8")
    assert status(data) == before
    assert scrapy(data, "check").stdout == "nothing is damaged\n"


def test_what_is_no_database(tmp_path: Path) -> None:
    assert "TO: 'mysql://h/d': write" in scrapy(tmp_path, "move", "mysql://h/d", code=2).stderr


@pytest.mark.opensearch
@pytest.mark.slow
def test_there_and_back_with_the_index(tmp_path: Path, database_url: str, opensearch_node: str) -> None:
    """A move whose second half was stopped goes on there."""
    data, cluster = small_folder(tmp_path), f"opensearch+{opensearch_node}/moved"
    before, found = status(data), scrapy(data, "search", "moulting").stdout.splitlines()[1:]
    scrapy(data, "move", database_url)
    said = scrapy(data, "move", database_url, cluster).stdout
    assert "the database is there already, with the same rows" in said
    assert f'now write index = "{cluster}" into crawl.toml; {data / "index"} stays' in said
    crawl_toml = data / "crawl.toml"
    own = crawl_toml.read_text("utf-8") if crawl_toml.exists() else ""
    crawl_toml.write_text(f'database = "{database_url}"\nindex = "{cluster}"\n{own}', "utf-8")
    (data / "crawl.db").unlink()
    shutil.rmtree(data / "index")
    assert status(data) == before
    assert scrapy(data, "search", "moulting").stdout.splitlines()[1:] == found
    said = scrapy(data, "move", "folder").stdout
    assert "now delete the line 'database' of crawl.toml" in said
    assert "now delete the line 'index' of crawl.toml" in said
    crawl_toml.write_text(own, "utf-8")
    assert status(data) == before
    assert scrapy(data, "search", "moulting").stdout.splitlines()[1:] == found
    assert scrapy(data, "check").stdout == "nothing is damaged\n"
