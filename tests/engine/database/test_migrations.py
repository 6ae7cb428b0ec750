"""A crawl database of an older Lycosa is migrated by whoever opens it next, in one step that no kill halves.

schema_11.tar.xz is a data folder of the Lycosa of November 2026 (commit 9f15370): what two crawled sites, a
removal, a submission, a suspect and a page in quarantine have left.
"""

import os
import re
import shutil
import signal
import sqlite3
import tarfile
import time
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from engine.database import SCHEMA_VERSION, migrations, open_database, sqlite
from engine.errors import EngineError
from engine.folder import RunLocks
from engine.store import Store
from tests.conftest import ROOT
from tests.engine.index.killing import forked, kill
from tests.running import begun_anew, scrapy, until

NEXT = SCHEMA_VERSION + 1
ROWS = {"hosts": 3, "changes": 19, "blocks": 1, "suspects": 1, "quarantine": 1, "urls": 26, "pages": 18}
COPY = "CREATE TABLE pairs AS SELECT a.url FROM urls a, urls b"  # work enough for a kill to come into it


@pytest.fixture
def data(tmp_path: Path) -> Path:
    with tarfile.open(ROOT / "tests/recovery/schema_11.tar.xz") as packed:
        packed.extractall(tmp_path / "data", filter="data")
    (tmp_path / "data").chmod(0o700)
    return tmp_path / "data"


@pytest.fixture
def next_schema(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The revision after those of today, made up: a new column, filled from another."""
    revisions = tmp_path / "migrations"
    shutil.copytree(migrations.REVISIONS, revisions, ignore=shutil.ignore_patterns("__pycache__"))
    text = f"""
        from alembic import op

        revision = "{NEXT}"
        down_revision = "{SCHEMA_VERSION}"


        def upgrade():
            op.execute("ALTER TABLE urls ADD COLUMN letters INTEGER")
            op.execute("UPDATE urls SET letters = length(url)")
            op.execute("{COPY}")
            op.execute("DROP TABLE pairs")
    """
    new = revisions / f"versions/schema_{NEXT}.py"
    new.write_text(re.sub(r"^ {8}", "", text, flags=re.MULTILINE).rstrip() + "\n", "ascii")
    monkeypatch.setattr(migrations, "REVISIONS", revisions)
    monkeypatch.setattr(sqlite, "SCHEMA_VERSION", NEXT)
    return new


def schema(path: Path) -> tuple[int, dict[str, object]]:
    """The number, and columns and indexes of each table, whatever their order and spelling."""
    with closing(sqlite3.connect(path)) as database:
        names = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        found: dict[str, object] = {
            name: sorted(row[1:] for row in database.execute(f"PRAGMA table_info({name})")) for name in names
        }
        indexes = database.execute("SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql != ''")
        found |= {name: re.sub(r"IF NOT EXISTS|\s", "", sql) for name, sql in indexes}
        return database.execute("PRAGMA user_version").fetchone()[0], found


def rows(path: Path) -> dict[str, int]:
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return {name: database.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in ROWS}


def test_revisions_are_one_chain_to_the_schema_of_today() -> None:
    names = sorted((migrations.REVISIONS / "versions").glob("schema_*.py"))
    numbers = sorted(int(path.stem.partition("_")[2]) for path in names)
    assert numbers == list(range(11, SCHEMA_VERSION + 1))


def test_a_folder_of_the_first_schema_migrates_at_the_next_command(data: Path) -> None:
    assert schema(data / "crawl.db")[0] == 11
    scrapy(data, "rebuild")  # its index is of an older format, too
    done = scrapy(data, "status")
    assert "pages         18" in done.stdout
    assert schema(data / "crawl.db")[0] == SCHEMA_VERSION
    assert rows(data / "crawl.db") == ROWS
    assert "its owner asked" in scrapy(data, "remove", "--list").stdout
    assert "/loop/" in scrapy(data, "suspects").stdout
    assert "/moulting.html" in scrapy(data, "search", "moulting").stdout


def test_what_is_migrated_is_what_is_made_today(data: Path, tmp_path: Path) -> None:
    open_database(data).dispose()
    open_database(tmp_path / "new").dispose()
    assert schema(data / "crawl.db") == schema(tmp_path / "new" / "crawl.db")


def test_one_that_is_older_than_any_release_is_migrated_too(data: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(data / "crawl.db")) as old:
        old.executescript(
            """
            DROP TABLE quarantine; DROP INDEX urls_in_turn; DROP INDEX runs_alive; DROP INDEX hosts_of_domain;
            ALTER TABLE urls DROP COLUMN turn; ALTER TABLE urls DROP COLUMN every;
            ALTER TABLE hosts DROP COLUMN domain; PRAGMA user_version = 4;
            """
        )
    open_database(data).dispose()
    open_database(tmp_path / "new").dispose()
    assert schema(data / "crawl.db") == schema(tmp_path / "new" / "crawl.db")
    with closing(sqlite3.connect(data / "crawl.db")) as new:
        assert new.execute("SELECT count(*) FROM hosts WHERE domain IS NULL").fetchone() == (0,)


def test_the_next_revision_runs_once(data: Path, next_schema: Path) -> None:
    for _ in range(2):
        with closing(Store(data)) as store, store.engine.connect() as connection:
            query = "SELECT count(*) FROM urls WHERE letters = length(url)"
            assert connection.exec_driver_sql(query).scalar_one() == ROWS["urls"]
    assert schema(data / "crawl.db")[0] == NEXT
    assert rows(data / "crawl.db") == ROWS


@pytest.mark.slow
@pytest.mark.requirement(275)
def test_a_kill_in_the_middle_leaves_a_folder_that_migrates(data: Path, next_schema: Path) -> None:
    """After the first of its statements, and at any moment of a long one."""
    before = schema(data / "crawl.db")
    text = next_schema.read_text("ascii")
    marked = text.replace("import op", "import op\nimport os, signal", 1)
    next_schema.write_text(marked + "    os.kill(os.getpid(), signal.SIGKILL)\n", "ascii")
    child = forked(partial(open_database, data))
    assert os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGKILL
    assert schema(data / "crawl.db") == before
    next_schema.write_text(text.replace(COPY, f"{COPY}, urls c, urls d, urls e"), "ascii")  # 12 million rows
    for seconds in (0.05, 0.3, 0.6):
        child = forked(partial(open_database, data))
        time.sleep(seconds)
        kill(child)
        assert schema(data / "crawl.db") == before
    next_schema.write_text(text, "ascii")
    open_database(data).dispose()
    assert schema(data / "crawl.db")[0] == NEXT
    assert rows(data / "crawl.db") == ROWS


@pytest.mark.slow
def test_two_that_open_it_at_once_migrate_it_once(data: Path) -> None:
    shutil.rmtree(data / "index")  # of another Lycosa's form, of which status says so
    with begun_anew(data, "status") as first, begun_anew(data, "status") as second:
        assert [process.wait(60) for process in (first, second)] == [0, 0]
        assert first.stdout
        assert second.stdout
        said = first.stdout.read() + second.stdout.read()
    assert said.count("is migrated from schema") == 1
    assert rows(data / "crawl.db") == ROWS


def test_a_crawl_of_the_older_lycosa_is_not_overtaken(data: Path) -> None:
    """It would go on writing into tables that it does not know."""

    def crawl() -> None:
        locks = RunLocks(data)
        locks.lock(7)
        (data / "at work").touch()
        time.sleep(60)

    child = forked(crawl)
    until((data / "at work").exists, "the crawl")
    with pytest.raises(EngineError, match="another crawl is using"):
        open_database(data)
    kill(child)
    open_database(data).dispose()


def test_one_of_a_newer_lycosa_is_refused(
    data: Path, next_schema: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_database(data).dispose()
    monkeypatch.setattr(sqlite, "SCHEMA_VERSION", SCHEMA_VERSION)
    done = scrapy(data, "status", code=2)
    assert f"was written by a newer Lycosa (its format is {NEXT}, ours {SCHEMA_VERSION})" in done.stderr
    assert done.stderr.count("\n") == 1
