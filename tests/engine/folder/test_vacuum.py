"""Free pages go back to the disk while searches go on, and nothing that writes for long is at work."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from engine.config import FREE_BYTES
from engine.errors import EngineError
from engine.folder import RunLocks, lock_folder, vacuum_folder
from tests.engine.folder.locking import other_process, run_7, vacuum

ROWS = 500
FULL = ROWS * 4_000  # bytes of rows before most are deleted


def database(path: Path, mode: str = "WAL") -> None:
    """A database of which nine tenths are free pages."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA journal_mode = {mode}")
        with connection:
            connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, body BLOB)")
            connection.executemany("INSERT INTO t VALUES (?, zeroblob(4000))", ((n,) for n in range(ROWS)))
        with connection:
            connection.execute("DELETE FROM t WHERE id % 10")


def ids(path: Path) -> list[int]:
    with closing(sqlite3.connect(path)) as connection:
        return [number for (number,) in connection.execute("SELECT id FROM t ORDER BY id")]


@pytest.mark.parametrize("mode", ["WAL", "DELETE"])
def test_free_pages_go_back_to_the_disk(tmp_path: Path, mode: str) -> None:
    """Also while a search page has the database open; what is in it stays, by the same numbers."""
    names = ["crawl.db", "history.db", "index/g000001/links.db"]
    for name in names:
        database(tmp_path / name, mode)
    with closing(sqlite3.connect(tmp_path / "crawl.db")) as page:
        assert page.execute("SELECT count(*) FROM t").fetchone() == (ROWS // 10,)
        done = list(vacuum_folder(tmp_path, 0))
        assert page.execute("SELECT count(*) FROM t").fetchone() == (ROWS // 10,)
    assert [one.name for one in done] == names
    for one in done:
        assert one.before > FULL
        assert one.after < FULL / 5
        assert (tmp_path / one.name).stat().st_size <= one.after
        assert not one.error
        assert ids(tmp_path / one.name) == list(range(0, ROWS, 10))
    assert [one.before for one in vacuum_folder(tmp_path, 0)] == [one.after for one in done], (
        "nothing is left"
    )


def test_it_writes_into_the_data_folder_alone(tmp_path: Path) -> None:
    """Its disk is the one that was looked at; and another's /tmp may be read by others."""
    database(tmp_path / "it's" / "crawl.db")
    for one in vacuum_folder(tmp_path / "it's", 0):
        assert not one.error
    with closing(sqlite3.connect(":memory:")) as connection:
        assert connection.execute("PRAGMA temp_store_directory").fetchone() == (str(tmp_path / "it's"),)


@pytest.mark.parametrize("kind", ["crawl", "rebuild", "backup"])
def test_it_is_refused_beside_what_writes_for_long(tmp_path: Path, kind: str) -> None:
    database(tmp_path / "crawl.db")
    before = (tmp_path / "crawl.db").read_bytes()
    beside = other_process(tmp_path, run_7) if kind == "crawl" else lock_folder(tmp_path, kind)
    with beside, pytest.raises(EngineError, match=f"another {kind} is using"):
        list(vacuum_folder(tmp_path, 0))
    assert (tmp_path / "crawl.db").read_bytes() == before
    assert len(list(vacuum_folder(tmp_path, 0))) == 1, "afterwards it is not"


@pytest.mark.parametrize("kind", ["rebuild", "backup"])
def test_whom_it_keeps_out_hears_of_it(tmp_path: Path, kind: str) -> None:
    """A backup would else wait for another backup, which nobody finds."""
    database(tmp_path / "crawl.db")
    said = rf"^'scrapy vacuum' is using {tmp_path} \(process \d+\); wait for it"
    with other_process(tmp_path, vacuum):
        with pytest.raises(EngineError, match=said):
            lock_folder(tmp_path, kind).__enter__()
        with pytest.raises(EngineError, match=said):
            list(vacuum_folder(tmp_path, 0))
    with lock_folder(tmp_path, kind), pytest.raises(EngineError, match=f"^another {kind} is using"):
        lock_folder(tmp_path, kind).__enter__()


def test_a_crawl_that_was_killed_is_not_alive_while_it_works(tmp_path: Path) -> None:
    """The alarms would say that it hangs, and name a process to stop that is none."""
    database(tmp_path / "crawl.db")
    with closing(RunLocks(tmp_path)) as locks:
        with other_process(tmp_path, vacuum):
            assert not locks.is_locked(7)
            with pytest.raises(EngineError, match=r"^'scrapy vacuum' is using"):
                locks.lock(7)
        with other_process(tmp_path, run_7):
            assert locks.is_locked(7)


def test_it_is_refused_without_room(tmp_path: Path) -> None:
    database(tmp_path / "crawl.db")
    before = (tmp_path / "crawl.db").read_bytes()
    with pytest.raises(EngineError, match=r"must stay free after the \d+ MB that this may take: free some"):
        list(vacuum_folder(tmp_path, FREE_BYTES * 10**9))
    assert (tmp_path / "crawl.db").read_bytes() == before


def test_a_damaged_one_keeps_no_other_waiting(tmp_path: Path) -> None:
    (tmp_path / "crawl.db").write_bytes(b"nonsense" * 1_000)
    database(tmp_path / "history.db")
    (tmp_path / "linked.db").symlink_to(tmp_path / "history.db")
    crawl, history = vacuum_folder(tmp_path, 0)
    assert "not a database" in crawl.error
    assert (tmp_path / "crawl.db").read_bytes() == b"nonsense" * 1_000
    assert history.after < history.before


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="there is no data folder"):
        list(vacuum_folder(tmp_path / "none", 0))
    assert not (tmp_path / "none").exists()
