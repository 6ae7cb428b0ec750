"""A restore to a server that is stopped leaves nothing that passes for the whole, and begins again."""

import os
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from engine.backup import restore_backup, restoring, server
from engine.database import ADMIN, hosts, open_database, open_run_locks, sessions, write_side
from engine.errors import EngineError
from engine.folder import RESTORING, require_whole
from tests.engine.backup.archives import roomy, small_backup, tree
from tests.engine.backup.on_server import assert_followed, content, restore, save
from tests.engine.index.killing import forked
from tests.postgresql import Server

pytestmark = pytest.mark.postgresql


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_backup(tmp_path_factory.mktemp("backup"))


def test_a_database_that_is_not_empty_stays_as_it_is(
    archive: Path, tmp_path: Path, database_url: str
) -> None:
    engine = open_database(database_url)
    with engine.begin() as connection:
        connection.execute(sa.insert(hosts), {"host": "http://h.example"})
    before = content(database_url)
    with pytest.raises(EngineError, match="is not empty: a backup is restored into an empty one alone"):
        restore(archive, tmp_path / "data", database_url)
    assert content(database_url) == before
    assert not (tmp_path / "data").exists()
    with engine.begin() as connection:
        connection.execute(sa.delete(hosts))
    with write_side(database_url, ADMIN) as admin:
        admin.execute(sa.insert(sessions).values(id_hash=b"x"))
    with pytest.raises(EngineError, match="is not empty"):
        restore(archive, tmp_path / "data", database_url)
    with write_side(database_url, ADMIN) as admin:
        admin.execute(sa.delete(sessions))
    with closing(open_run_locks(database_url)) as locks:
        locks.lock(7)
        with pytest.raises(EngineError, match="'scrapy restore' has to wait for it"):
            restore(archive, tmp_path / "data", database_url)
    assert not (tmp_path / "data").exists()
    restore(archive, tmp_path / "data", database_url)
    engine.dispose()


MOMENTS = [
    (server, "copy_database", False, "before the first row"),
    (server, "write_uuid", False, "after the last row"),
    (server, "note_source", True, "after the commit"),
    (restoring, "_move_into_place", True, "before the move"),
    (restoring, "_clear_away", True, "after the move"),
]
of_moments = pytest.mark.parametrize(
    ("module", "name", "is_committed", "why"), MOMENTS, ids=[row[-1] for row in MOMENTS]
)


@of_moments
def test_a_restore_that_was_killed_begins_again(
    archive: Path,
    tmp_path: Path,
    database_url: str,
    monkeypatch: pytest.MonkeyPatch,
    module: Any,
    name: str,
    is_committed: bool,
    why: str,
) -> None:
    """By the same command; until then no other one uses the folder."""
    with monkeypatch.context() as patched:
        patched.setattr(module, name, lambda *given: os._exit(9))
        os.waitpid(forked(partial(restore, archive, tmp_path / "data", database_url)), 0)
    with pytest.raises(EngineError, match="holds a part of a backup alone"):
        require_whole(tmp_path / "data")
    assert bool(content(database_url)["pages"]) == is_committed, why
    assert_restored(archive, tmp_path, database_url)


@pytest.mark.slow
@of_moments
def test_a_restore_that_failed_begins_again(
    archive: Path,
    tmp_path: Path,
    database_url: str,
    monkeypatch: pytest.MonkeyPatch,
    module: Any,
    name: str,
    is_committed: bool,
    why: str,
) -> None:
    """Nothing is left where nothing was committed; else another failure does not make it forget that."""

    def fail(*given: object) -> None:
        raise OSError(28, "No space left on device")

    for _ in range(2):
        with monkeypatch.context() as patched:
            patched.setattr(module, name, fail)
            with pytest.raises(EngineError, match="No space left"):
                restore(archive, tmp_path / "data", database_url)
        assert (tmp_path / "data").exists() == is_committed, why
        assert bool(content(database_url)["pages"]) == is_committed, why
    assert_restored(archive, tmp_path, database_url)


def assert_restored(archive: Path, tmp_path: Path, database_url: str) -> None:
    """As by a restore that nobody stopped."""
    restore(archive, tmp_path / "data", database_url)
    restore(archive, tmp_path / "peace")
    assert content(database_url) == content(tmp_path / "peace")
    assert sorted(path.name for path in (tmp_path / "data").iterdir() if path.suffix != ".lock") == [
        "index",
        "synonyms.tsv",
    ]
    assert_followed(tmp_path / "data", database_url)


def test_what_a_killed_restore_left_is_no_reason_to_clear_another_database(
    archive: Path, tmp_path: Path, postgresql_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The operator names another one meanwhile, which is in use."""
    first, second = postgresql_server.create_database(), postgresql_server.create_database()
    restore(archive, tmp_path / "other", second)
    before = content(second)
    with monkeypatch.context() as patched, suppress(EngineError):
        patched.setattr(restoring, "_move_into_place", lambda *given: (_ for _ in ()).throw(OSError(5, "x")))
        restore(archive, tmp_path / "data", first)
    assert (tmp_path / "data" / RESTORING / server.MARKER).exists()
    with pytest.raises(EngineError, match="is not empty"):
        restore(archive, tmp_path / "data", second)
    assert content(second) == before
    restore(archive, tmp_path / "data", first)


CONFIGS: list[tuple[str, bool, str]] = [
    ('database = "{url}"\n', False, "the one that was saved, which may be in use"),
    ('contact = "you@example.org"\n', True, "none"),
]


@pytest.mark.parametrize(("saved", "is_laid", "why"), CONFIGS, ids=[row[-1] for row in CONFIGS])
def test_a_saved_crawl_toml_is_not_laid_where_it_names_another_database(
    archive: Path, tmp_path: Path, database_url: str, saved: str, is_laid: bool, why: str
) -> None:
    """Else commands would use that one, and the index would be made anew from it."""
    restore(archive, tmp_path / "data", database_url)
    (tmp_path / "crawl.toml").write_text(saved.format(url=database_url), "utf-8")
    save(tmp_path / "data", database_url, tmp_path / "b.tar")
    new = tmp_path / "elsewhere"
    new.mkdir()
    restored = restore_backup(tmp_path / "b.tar", roomy(new / "data"), new / "crawl.toml")
    assert (new / "crawl.toml").exists() == is_laid, why
    assert (new / "crawl.toml.restored").exists() != is_laid, why
    assert restored.elsewhere == ("" if is_laid else database_url)
    assert "crawl.db" in tree(new / "data")
