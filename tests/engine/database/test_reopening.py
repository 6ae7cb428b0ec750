"""The crawl database for who goes on without it: what is damaged is one kind of error, and is opened anew."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from engine.database import open_database
from engine.database.reopening import CrawlDatabase
from engine.errors import EngineError, Unreadable
from engine.store.known_hosts import load_robots
from tests.running import scrapy

HOST = "http://h.example"


def written(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute(statement)


def replaced(path: Path, before: bytes, after: bytes) -> None:
    whole = path.read_bytes()
    assert before in whole
    path.write_bytes(whole.replace(before, after))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    open_database(tmp_path).dispose()
    path = tmp_path / "crawl.db"
    written(path, f"INSERT INTO hosts (host, robots) VALUES ('{HOST}', x'28b52ffd2000')")
    return path


def ask(database: CrawlDatabase) -> object:
    with database.open_engine() as engine, engine.connect() as connection:
        return connection.exec_driver_sql("SELECT host FROM hosts").scalar_one()


DAMAGE: list[tuple[Callable[[Path], object], str]] = [
    (lambda path: path.write_bytes(b"no database " * 999), "another file"),
    (lambda path: path.write_bytes(path.read_bytes()[:5_000]), "cut off"),
    (
        lambda path: replaced(path, b"CREATE TABLE hosts", b"CREATE TABLE hos\xba\xbb"),
        "a name that is no text",
    ),
    (lambda path: replaced(path, HOST.encode(), b"http://\xba.example"), "a value that is no text"),
]


@pytest.mark.parametrize(("damage", "why"), DAMAGE, ids=[why for _, why in DAMAGE])
def test_damage_is_told_of_and_a_backup_is_taken_up(
    path: Path, damage: Callable[[Path], object], why: str
) -> None:
    kept = path.read_bytes()
    for is_open in (True, False):
        database = CrawlDatabase(path.parent)
        if is_open:
            assert ask(database) == HOST
        damage(path)
        for _ in range(2):
            with pytest.raises(Unreadable, match=r"crawl\.db .*'scrapy check'.*a backup"):
                ask(database)
        path.write_bytes(kept)
        assert ask(database) == HOST, why
        database.close()


def test_a_packed_value_that_is_damaged_is_one_line(path: Path, tmp_path: Path) -> None:
    database = CrawlDatabase(tmp_path)
    with pytest.raises(Unreadable), database.open_engine() as engine:
        load_robots(engine, HOST)
    database.close()
    assert "damaged" in scrapy(tmp_path, "explain", f"{HOST}/x", code=2).stderr


def test_what_is_not_ours_is_no_damage(path: Path) -> None:
    written(path, "PRAGMA application_id = 1")
    with pytest.raises(EngineError, match="another program") as raised:
        ask(CrawlDatabase(path.parent))
    assert not isinstance(raised.value, Unreadable)


def test_nothing_is_made_in_the_place_of_what_was_lost(path: Path) -> None:
    database = CrawlDatabase(path.parent)
    ask(database)
    path.unlink()
    for _ in range(2):
        with pytest.raises(Unreadable, match="nothing is left"):
            ask(database)
    assert not path.exists()
    database.close()
