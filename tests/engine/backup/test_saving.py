"""A backup is written whole beside its place, of one moment of a folder that is in use."""

import os
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from engine.backup import saving
from engine.backup.restoring import restore_backup
from engine.backup.saved_files import is_saved
from engine.backup.saving import save_backup
from engine.config import Config, LimitsConfig
from engine.errors import EngineError
from engine.generations import current_generation
from engine.index.indexing import make_follower
from engine.search import SearchService
from engine.store import Store, match_target, parse_target, purge_urls
from tests.engine.backup.archives import members, roomy, small_folder

SAVED = [
    ("crawl.db", True, "the truth"),
    ("crawl.db-wal", False, "the copy has what is in it"),
    ("synonyms.tsv", True, "the operator's"),
    ("queries.tsv.gz", True, "the operator's, packed"),
    ("что угодно.txt", True, "whatever the operator keeps there"),
    ("history.db", True, "counts of hosts"),
    ("admin.db", True, "the hash of a password"),
    ("history.db-shm", False, "their log"),
    ("crawl.lock", False, "a lock"),
    ("journal.12", False, "under way"),
    ("asked_queries.draft", False, "unfinished"),
    ("requests.log.3", False, "no state"),
    ("n" * 91, False, "longer than a header's field"),
    ("index/current", True, "which generation"),
    ("index/write.lock", False, "a lock"),
    ("index/g000001/MAIN_x.arrays", True, "a segment"),
    ("index/g000001/links.db", True, "the link graph"),
    ("index/g000001/links.db-shm", False, "its log"),
    ("index/draft-rebuild/form", False, "a draft"),
    ("index/refused/form", False, "a generation that was refused"),
    ("", False, "nothing"),
    ("..", False, "another folder"),
]


@pytest.mark.parametrize(("name", "saved", "why"), SAVED, ids=[row[-1] for row in SAVED])
def test_which_files_are_saved(name: str, saved: bool, why: str) -> None:
    assert is_saved(name) == saved, why


def save(data: Path, target: Path, free: int = 0) -> saving.Saved:
    config = Config(data, limits=LimitsConfig(free_bytes=free))
    return save_backup(config, data.parent / "crawl.toml", target)


def test_it_is_its_owners_alone_and_one_file(tmp_path: Path) -> None:
    data = small_folder(tmp_path / "data")
    before = os.umask(0o077)  # as commands set it
    save(data, tmp_path / "b.tar")
    os.umask(before)
    assert stat.S_IMODE((tmp_path / "b.tar").stat().st_mode) == 0o600
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b.tar", "data"]
    assert members(tmp_path / "b.tar")["data/synonyms.tsv"] == b"spider\taraneae\n"


def test_links_in_the_folder_are_left_out(tmp_path: Path) -> None:
    """What they lead to may be anywhere."""
    data = small_folder(tmp_path / "data")
    (tmp_path / "secret").write_text("x", "utf-8")
    (data / "pins.tsv").symlink_to(tmp_path / "secret")
    save(data, tmp_path / "b.tar")
    assert "data/pins.tsv" not in members(tmp_path / "b.tar")


def test_a_damaged_database_does_not_take_a_whole_ones_place(tmp_path: Path) -> None:
    data = small_folder(tmp_path / "data")
    save(data, tmp_path / "b.tar")
    whole = (tmp_path / "b.tar").read_bytes()
    with (data / "crawl.db").open("r+b") as file:
        file.seek(4096 * 20)
        file.write(b"\xff" * 4096 * 5)
    with pytest.raises(EngineError, match=r"damaged|malformed"):
        save(data, tmp_path / "b.tar")
    assert (tmp_path / "b.tar").read_bytes() == whole
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b.tar", "data"]


def test_databases_are_copied_as_sqlite_sees_them(tmp_path: Path) -> None:
    """What is committed may stand in the log alone; one that is none is left out, and told of."""
    data = small_folder(tmp_path / "data")
    (data / "broken.db").write_text("no database, but long enough to be looked at" * 100, "utf-8")
    with closing(sqlite3.connect(data / "history.db")) as history:
        history.execute("PRAGMA journal_mode=WAL")
        history.executescript("CREATE TABLE hosts (host TEXT); INSERT INTO hosts VALUES ('h.example')")
        assert len((data / "history.db").read_bytes()) < len((data / "history.db-wal").read_bytes())
        said = save(data, tmp_path / "b.tar").lacking
    assert [sentence.partition(" is left out")[0] for sentence in said] == [str(data / "broken.db")]
    restore_backup(tmp_path / "b.tar", roomy(tmp_path / "two"), tmp_path / "crawl.toml")
    with closing(sqlite3.connect(tmp_path / "two/history.db")) as history:
        assert history.execute("SELECT * FROM hosts").fetchall() == [("h.example",)]


def test_a_damaged_index_is_left_out(tmp_path: Path) -> None:
    """It can be made again, the database not."""
    data = small_folder(tmp_path / "data")
    (data / "index/current").write_text("nonsense", "utf-8")
    assert save(data, tmp_path / "b.tar").lacking
    restored = restore_backup(tmp_path / "b.tar", roomy(tmp_path / "two"), tmp_path / "crawl.toml")
    assert "scrapy rebuild" in restored.lacking


@pytest.mark.parametrize(
    ("target", "match"),
    [
        ("data/b.tar", "in the data folder itself"),
        ("data/sub/b.tar", "in the data folder itself"),
        (".", "is a folder"),
        ("nowhere/b.tar", "is a folder, or in none"),
    ],
)
def test_places_that_cannot_be_saved_to(tmp_path: Path, target: str, match: str) -> None:
    data = small_folder(tmp_path / "data")
    with pytest.raises(EngineError, match=match):
        save(data, tmp_path / target)


def test_there_has_to_be_room_and_something_to_save(tmp_path: Path) -> None:
    data = small_folder(tmp_path / "data")
    with pytest.raises(EngineError, match="must stay free after the 1 MB that this may take"):
        save(data, tmp_path / "b.tar", 10**18)
    with pytest.raises(EngineError, match="nothing to save"):
        save(tmp_path / "none", tmp_path / "b.tar")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data"]


def test_what_left_between_database_and_index_is_not_found_again(tmp_path: Path) -> None:
    """Somebody removed a page, and was killed before the index had heard of it."""
    data = small_folder(tmp_path / "data")
    with closing(SearchService(data)) as search:
        url = search.search("moulting").hits[0].url
    with closing(Store(data)) as store, store.engine.begin() as connection:
        purge_urls(connection, match_target(parse_target(url)))
    save(data, tmp_path / "b.tar")
    restore_backup(tmp_path / "b.tar", roomy(tmp_path / "two"), tmp_path / "crawl.toml")
    with closing(SearchService(tmp_path / "two")) as search:
        assert url not in [hit.url for hit in search.search("moulting").hits]


def test_it_is_of_one_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is written while it is copied is not in it, neither in the database nor in the index."""
    data = small_folder(tmp_path / "data")
    copy = saving._copy_database

    def copy_late(*given: object) -> Path:
        """As if the crawl had written, and the index followed, since the moment."""
        with closing(Store(data)) as store:
            with store.engine.begin() as connection:
                purge_urls(connection, match_target(parse_target("http://127.0.0.1:8107/*")))
            make_follower(store, Config(data)).catch_up()
        return copy(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(saving, "_copy_database", copy_late)
    with closing(SearchService(data)) as search:
        before = search.count_documents()
    save(data, tmp_path / "b.tar")
    with closing(SearchService(data)) as search:
        assert search.count_documents() < before
    restore_backup(tmp_path / "b.tar", roomy(tmp_path / "two"), tmp_path / "crawl.toml")
    with closing(SearchService(tmp_path / "two")) as search:
        assert search.count_documents() == before
    generation = current_generation(tmp_path / "two")
    assert generation
    with closing(Store(tmp_path / "two")) as store:
        assert store.last_change() == generation.caught_up
    with closing(sqlite3.connect(tmp_path / "two/crawl.db")) as database:
        assert database.execute("SELECT count(*) FROM pages").fetchone() == (before,)
