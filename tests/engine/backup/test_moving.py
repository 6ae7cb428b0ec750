"""The crawl database goes to a server and back: every row, and the index with it."""

import dataclasses
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from engine import generations, postgresql
from engine.backup import move_database, moving
from engine.config import Config
from engine.database import (
    ADMIN,
    copy_database,
    digest_tables,
    hosts,
    open_database,
    open_run_locks,
    open_side,
    password,
    sessions,
    write_side,
    write_transaction,
)
from engine.errors import EngineError
from engine.frontier import load_paused, pause_host, release_host
from engine.store import Store
from tests.engine.database import side_rows
from tests.engine.database.rows import content, fill

pytestmark = pytest.mark.postgresql
IDLE_SECONDS = 0.3


@pytest.fixture
def config(tmp_path: Path) -> Config:
    """A folder with odd rows in every table."""
    database = open_database(tmp_path / "data")
    fill(database)
    database.dispose()
    side_rows.fill(tmp_path / "data")
    return Config(tmp_path / "data")


def rows(location: Path | str) -> dict[str, Any]:
    database = open_database(location)
    found = content(database)
    database.dispose()
    own = {name: of_table for name, of_table in found.items() if name != "identity"}
    return own | side_rows.content_of_all(location)


def test_there_and_back(config: Config, database_url: str, tmp_path: Path) -> None:
    before = rows(config.database)
    moved = move_database(config, database_url)
    assert moved["pages"] == len(before["pages"])
    assert moved["admin.audit"] == len(before["admin"]["audit"]) > 1
    assert moved["pauses.paused_hosts"] == len(before["pauses"]) == 1
    assert rows(database_url) == before
    assert rows(config.database) == before, "it stays as it is"
    back = dataclasses.replace(config, data_dir=tmp_path / "new", database_url=database_url)
    move_database(back, back.data_dir)
    assert rows(back.data_dir) == before
    ids = set()
    for place in (config.data_dir, database_url, back.data_dir):
        with closing(Store(place)) as store:
            ids.add(store.identity())
    assert len(ids) == 3, "each is another database"


def test_the_index_follows_the_new_one(config: Config, database_url: str) -> None:
    drafted = generations.create_draft(config.data_dir, "first")
    with closing(Store(config.database)) as store:
        drafted.note_source(store.identity())
        drafted.mark(store.last_change())
        generations.publish(config.data_dir, drafted)
    move_database(config, database_url)
    current = generations.current_generation(config.data_dir)
    assert current
    with closing(Store(database_url)) as store:
        assert current.source == store.identity()


@pytest.mark.parametrize("to_server", [True, False])
def test_a_server_waits_while_the_other_is_read(
    config: Config, database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, to_server: bool
) -> None:
    """To hash a million rows takes longer than a transaction of a server may stand idle."""

    def digest_slowly(connection: sa.Connection) -> dict[str, tuple[int, str]]:
        found = digest_tables(connection)
        time.sleep(2 * IDLE_SECONDS)
        return found

    monkeypatch.setattr(postgresql, "SERVER_SECONDS", IDLE_SECONDS)
    monkeypatch.setattr(moving, "digest_tables", digest_slowly)
    before = rows(config.database)
    move_database(config, database_url)
    if to_server:
        assert rows(database_url) == before
        return
    back = dataclasses.replace(config, data_dir=tmp_path / "new", database_url=database_url)
    move_database(back, back.data_dir)
    assert rows(back.data_dir) == before


def test_a_copy_that_differs_is_none(
    config: Config, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As by a fault of ours: nothing of it is left, and the same command works once that is mended."""

    def copy_badly(source: sa.Connection, target: sa.Connection) -> dict[str, int]:
        copied = copy_database(source, target)
        target.execute(sa.update(hosts).where(hosts.c.id == 3).values(ready_at=1.5))
        return copied

    monkeypatch.setattr(moving, "copy_database", copy_badly)
    with pytest.raises(EngineError, match="not what is there, in hosts: nothing was moved"):
        move_database(config, database_url)
    monkeypatch.setattr(moving, "copy_database", copy_database)
    move_database(config, database_url)


def test_what_a_folder_has_from_before_is_replaced(config: Config, database_url: str) -> None:
    """Its password would open the pages again, though another was set on the server since."""
    move_database(config, database_url)
    with write_side(database_url, ADMIN) as connection:
        connection.execute(sa.update(password).values(hash="another"))
        connection.execute(sa.delete(sessions))
    release_host(database_url, "www.example.org")
    (config.data_dir / "crawl.db").unlink()
    move_database(dataclasses.replace(config, database_url=database_url), config.data_dir)
    with open_side(config.data_dir, ADMIN) as connection:
        assert connection.execute(sa.select(password.c.hash)).scalars().all() == ["another"]
        assert connection.execute(sa.select(sessions)).all() == []
    assert load_paused(config.data_dir) == {}


def test_no_pause_of_a_server_is_replaced(config: Config, database_url: str) -> None:
    pause_host(database_url, "h.example", 5)
    with pytest.raises(EngineError, match="is not empty: move it away, or name an empty one"):
        move_database(config, database_url)


def test_no_password_of_a_server_is_replaced(config: Config, database_url: str) -> None:
    """It is in use, though nothing was crawled yet."""
    with write_side(database_url, ADMIN) as connection:
        connection.execute(sa.insert(sessions).values(id_hash=b"x"))
    with pytest.raises(EngineError, match="is not empty: move it away, or name an empty one"):
        move_database(config, database_url)


def test_what_is_refused(config: Config, database_url: str, tmp_path: Path) -> None:
    with pytest.raises(EngineError, match=r"is at .* already"):
        move_database(config, config.data_dir)
    with pytest.raises(EngineError, match="is empty: nothing to move"):
        move_database(Config(tmp_path / "empty"), database_url)
    with closing(open_run_locks(database_url)) as locks:
        locks.lock(5)
        with pytest.raises(EngineError, match="another crawl is using"):
            move_database(config, database_url)
    database = open_database(database_url)
    with write_transaction(database) as connection:
        connection.execute(sa.insert(hosts).values(host="http://h.example"))
    database.dispose()
    with pytest.raises(EngineError, match="is not empty: move it away, or name an empty one"):
        move_database(config, database_url)
