"""`scrapy backup` and `scrapy restore` where crawl.toml names a server's database."""

from pathlib import Path

import pytest

from tests.engine.backup.archives import server_folder
from tests.postgresql import Server
from tests.running import scrapy, status

pytestmark = [pytest.mark.folder, pytest.mark.postgresql, pytest.mark.sqlite]


def hits(data: Path) -> list[str]:
    """All but the first line, which says how long it took."""
    return scrapy(data, "search", "moulting").stdout.splitlines()[1:]


def test_from_a_server_to_a_file_and_to_another_database(tmp_path: Path, postgresql_server: Server) -> None:
    first, second = postgresql_server.create_database(), postgresql_server.create_database()
    data, archive = server_folder(tmp_path, first), str(tmp_path / "b.tar")
    before, found = status(data), hits(data)
    assert before["pages"] == 18
    assert scrapy(data, "backup", archive).stdout.startswith(f"{archive}: ")
    said = scrapy(tmp_path / "file", "restore", archive).stdout
    assert f"it names the crawl database {first}; what is restored is in {tmp_path / 'file'} instead" in said
    assert (tmp_path / "file/crawl.db").exists()
    (tmp_path / "server").mkdir()
    (tmp_path / "server/crawl.toml").write_text(f'database = "{second}"\n', "utf-8")
    said = scrapy(tmp_path / "server", "restore", archive).stdout
    assert said.endswith("crawl.toml.restored\n")
    assert not (tmp_path / "server/crawl.db").exists()
    for name in ("file", "server"):
        assert status(tmp_path / name) == before
        assert hits(tmp_path / name) == found
        assert scrapy(tmp_path / name, "check").stdout == "nothing is damaged\n"


def test_a_database_that_is_in_use_is_one_line(tmp_path: Path, database_url: str) -> None:
    data = server_folder(tmp_path, database_url)
    (tmp_path / "two").mkdir(mode=0o700)
    (tmp_path / "two/crawl.toml").write_bytes((data / "crawl.toml").read_bytes())
    said = scrapy(tmp_path / "two", "restore", str(tmp_path / "backup.tar"), code=2).stderr
    assert said == (
        f"scrapy restore: the crawl database {database_url} is not empty: a backup is restored into an empty "
        "one alone; make one with createdb, and name it in crawl.toml\n"
    )
    assert [path.name for path in (tmp_path / "two").iterdir()] == ["crawl.toml"]


@pytest.mark.parametrize("words", [("backup", "b.tar"), ("check",), ("plan",), ("vacuum",)])
def test_a_server_that_is_away_is_one_line(tmp_path: Path, words: tuple[str, ...]) -> None:
    data, url = tmp_path / "data", "postgresql://postgres@127.0.0.1:1/none"
    data.mkdir(mode=0o700)
    (data / "crawl.toml").write_text(f'database = "{url}"\n', "utf-8")
    given = [str(tmp_path / word) if word.endswith(".tar") else word for word in words]
    said = scrapy(data, *given, code=2).stderr
    assert said.startswith(f"scrapy {words[0]}: cannot use the crawl database {url}: ")
    assert said.count("\n") == 1
    assert not (tmp_path / "b.tar").exists()
