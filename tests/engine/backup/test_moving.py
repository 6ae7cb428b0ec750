"""The crawl database goes to a server and back: every row, and the index with it."""

import dataclasses
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from engine import generations
from engine.backup import move_database, moving
from engine.config import Config
from engine.database import copy_database, hosts, open_database, open_run_locks, write_transaction
from engine.errors import EngineError
from engine.store import Store
from tests.engine.database.rows import content, fill

pytestmark = pytest.mark.postgresql


@pytest.fixture
def config(tmp_path: Path) -> Config:
    """A folder with odd rows in every table."""
    database = open_database(tmp_path / "data")
    fill(database)
    database.dispose()
    return Config(tmp_path / "data")


def rows(location: Path | str) -> dict[str, list[dict[str, object]]]:
    database = open_database(location)
    found = content(database)
    database.dispose()
    return {name: of_table for name, of_table in found.items() if name != "identity"}


def test_there_and_back(config: Config, database_url: str, tmp_path: Path) -> None:
    before = rows(config.database)
    moved = move_database(config, database_url)
    assert moved["pages"] == len(before["pages"])
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
