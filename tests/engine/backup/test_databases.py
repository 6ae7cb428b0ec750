"""A crawl database on a server is saved as of one moment, and restored into a file or an empty database."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from engine.backup import databases
from engine.database import changes, copy_database, log_change, open_database, urls, write_transaction
from engine.errors import EngineError
from engine.folder import require_whole
from engine.generations import current_generation
from engine.store import Store
from tests.engine.backup.archives import small_backup
from tests.engine.backup.on_server import assert_followed, content, restore, save
from tests.engine.database import side_rows
from tests.postgresql import Server
from tests.running import until

pytestmark = pytest.mark.postgresql


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_backup(tmp_path_factory.mktemp("backup"))


class Writer:
    """Writes a URL and its change in one transaction, again and again; `written` counts them."""

    def __init__(self, url: str) -> None:
        self._engine = open_database(url)
        self._stop = threading.Event()
        self.written = 0

    @contextmanager
    def writing(self) -> Iterator[None]:
        thread = threading.Thread(target=self._write)
        thread.start()
        try:
            yield
        finally:
            self._stop.set()
            thread.join()
            self._engine.dispose()

    def _write(self) -> None:
        while not self._stop.is_set():
            url = f"http://w.example/{self.written}"
            with write_transaction(self._engine) as connection:
                row = {"url": url, "host_id": 1, "state": "queued", "found_at": 0.5}
                connection.execute(sa.insert(urls), row)
                connection.execute(log_change().values(url=url))
            self.written += 1


def test_what_is_saved_while_others_write_is_of_one_moment(
    archive: Path, tmp_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What comes after the moment is not in it, and no transaction is halved."""
    restore(archive, tmp_path / "data", database_url)
    assert_followed(tmp_path / "data", database_url)
    writer, seen = Writer(database_url), list[int]()
    begin, copy = databases.ServerSnapshot.begin, databases.ServerSnapshot.copy_to

    def begin_late(snapshot: databases.ServerSnapshot) -> None:
        until(lambda: writer.written > 5, "what is written before")
        seen.append(writer.written)
        begin(snapshot)
        seen.append(writer.written)

    def copy_late(snapshot: databases.ServerSnapshot, path: Path) -> None:
        until(lambda: writer.written > seen[1] + 5, "what is written after")
        copy(snapshot, path)

    monkeypatch.setattr(databases.ServerSnapshot, "begin", begin_late)
    monkeypatch.setattr(databases.ServerSnapshot, "copy_to", copy_late)
    with writer.writing():
        save(tmp_path / "data", database_url, tmp_path / "b.tar")
    restore(tmp_path / "b.tar", tmp_path / "two")
    with closing(sqlite3.connect(tmp_path / "two/crawl.db")) as database:
        query = "SELECT url FROM {} WHERE url LIKE 'http://w.%' ORDER BY {}"
        found = [
            database.execute(query.format(*of)).fetchall() for of in (("urls", "id"), ("changes", "seq"))
        ]
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert found[0] == found[1] == [(f"http://w.example/{number}",) for number in range(len(found[0]))]
    assert seen[0] <= len(found[0]) <= seen[1] + 1
    assert_followed(tmp_path / "two", tmp_path / "two")


def test_rows_and_numbers_go_from_a_server_to_a_file_and_back(
    archive: Path, tmp_path: Path, postgresql_server: Server
) -> None:
    first, second = postgresql_server.create_database(), postgresql_server.create_database()
    restore(archive, tmp_path / "one", first)
    assert not (tmp_path / "one/crawl.db").exists()
    side_rows.fill(first)
    for name in ("admin.db", "complaints.db", "paused_hosts.tsv"):
        (tmp_path / "one" / name).write_bytes(b"of the time before")
    save(tmp_path / "one", first, tmp_path / "of_server.tar")
    restore(tmp_path / "of_server.tar", tmp_path / "two")
    save(tmp_path / "two", "", tmp_path / "of_file.tar")
    restore(tmp_path / "of_file.tar", tmp_path / "three", second)
    assert content(first) == content(tmp_path / "two") == content(second)
    assert len(content(first)["pages"]) == 18
    assert len(content(second)["admin"]["sessions"]) == len(content(second)["complaints"]["complaints"]) == 4
    assert content(second)["pauses"] == {"www.example.org": 5.0}
    assert not (tmp_path / "three/paused_hosts.tsv").exists(), "nobody would read it"
    for data, location in (("one", first), ("two", tmp_path / "two"), ("three", second)):
        assert_followed(tmp_path / data, location)
        require_whole(tmp_path / data)
    with closing(Store(first)) as one, closing(Store(second)) as other:
        assert one.identity() != other.identity(), "an index of the first is none of the second"
    for location in (first, tmp_path / "two", second):
        engine = open_database(location)
        with write_transaction(engine) as connection:
            last = connection.execute(sa.select(sa.func.max(changes.c.seq))).scalar_one()
            connection.execute(log_change().values(url="new"))
            new = connection.execute(sa.select(changes.c.seq).where(changes.c.url == "new")).scalar_one()
        engine.dispose()
        assert new == last + 1


def test_an_index_that_follows_another_database_is_not_taken_for_its_own(
    archive: Path, tmp_path: Path, database_url: str
) -> None:
    """It was so when both were saved; the next crawl makes it anew."""
    restore(archive, tmp_path / "data", database_url)
    generation = current_generation(tmp_path / "data")
    assert generation
    generation.note_source("another")
    save(tmp_path / "data", database_url, tmp_path / "b.tar")
    restore(tmp_path / "b.tar", tmp_path / "two")
    generation = current_generation(tmp_path / "two")
    assert generation
    assert generation.source == "another"


def test_an_empty_database_is_not_saved(tmp_path: Path, database_url: str) -> None:
    """Its URL is a slip of the finger."""
    with pytest.raises(EngineError, match=f"the crawl database {database_url} is empty: nothing to save"):
        save(tmp_path / "data", database_url, tmp_path / "b.tar")
    assert not (tmp_path / "b.tar").exists()


def test_a_server_that_goes_away_leaves_the_backup_before(
    archive: Path,
    tmp_path: Path,
    database_url: str,
    monkeypatch: pytest.MonkeyPatch,
    postgresql_server: Server,
) -> None:
    """Its sessions end while the rows are copied."""
    restore(archive, tmp_path / "data", database_url)
    save(tmp_path / "data", database_url, tmp_path / "b.tar")
    before = (tmp_path / "b.tar").read_bytes()

    def end_sessions(*given: Any) -> object:
        name = database_url.rpartition("/")[2]
        postgresql_server.execute(
            f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"
        )
        return copy_database(*given)

    monkeypatch.setattr(databases, "copy_database", end_sessions)
    with pytest.raises(EngineError, match=r"^cannot copy crawl.db: [^\n]+; a backup that was there stays$"):
        save(tmp_path / "data", database_url, tmp_path / "b.tar")
    assert (tmp_path / "b.tar").read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b.tar", "crawl.toml", "data"]
