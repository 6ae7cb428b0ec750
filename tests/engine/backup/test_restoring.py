"""Backups are restored whole or not at all: what is cut off, damaged, newer or hostile is refused."""

import gzip
import io
import json
import random
import sqlite3
import tarfile
from contextlib import closing
from hashlib import blake2b
from pathlib import Path

import pytest

from engine.backup.archive import FORMAT
from engine.backup.restoring import restore_backup
from engine.backup.saving import save_backup
from engine.config import Config, LimitsConfig
from engine.database import SCHEMA_VERSION
from engine.errors import EngineError
from engine.folder import require_whole
from engine.generations import FORM
from tests.engine.backup.archives import Hostile, header, members, roomy, small_backup, tree, write_archive
from tests.recovery.test_formats import unpacked


@pytest.fixture(scope="module")
def backup(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_backup(tmp_path_factory.mktemp("backup"))


def restore(archive: Path, data: Path) -> None:
    restore_backup(archive, roomy(data), data.parent / "crawl.toml")


def assert_refused(archive: Path, data: Path, match: str) -> None:
    """In a sentence, and nothing is left."""
    before = sorted(data.parent.iterdir())
    with pytest.raises(EngineError, match=match) as said:
        restore(archive, data)
    assert "\n" not in str(said.value)
    assert sorted(data.parent.iterdir()) == before


def test_what_is_restored_is_what_was_saved(backup: Path, tmp_path: Path) -> None:
    restore(backup, tmp_path / "data")
    saved = {name.removeprefix("data/"): text for name, text in members(backup).items() if "data/" in name}
    restored = tree(tmp_path / "data")
    with closing(sqlite3.connect(tmp_path / "data/crawl.db")) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert restored.keys() == saved.keys()
    assert [name for name in saved if restored[name] != saved[name] and name != "crawl.db"] == []
    assert (tmp_path / "crawl.toml").read_text("utf-8") == 'contact = "you@example.org"\n'
    modes = {path.stat().st_mode & 0o077 for path in (tmp_path / "data").rglob("*")}
    assert modes <= {0, 0o055, 0o044}  # by the umask of whoever restores; commands set it to 077


def test_a_crawl_database_of_an_older_lycosa_is_migrated(tmp_path: Path) -> None:
    data = unpacked(tmp_path / "old", 8)
    save_backup(roomy(data), tmp_path / "crawl.toml", tmp_path / "b.tar")
    restore(tmp_path / "b.tar", tmp_path / "data")
    versions = []
    for folder in ("old", "data"):
        with closing(sqlite3.connect(tmp_path / folder / "crawl.db")) as database:
            versions += database.execute("PRAGMA user_version").fetchone()
    assert versions == [11, SCHEMA_VERSION]


PLACES = [
    ({}, "absent"),
    ({"data": None}, "empty"),
    ({"data": None, "data/lost+found": None}, "an empty disk"),
]


@pytest.mark.parametrize(("there", "why"), PLACES, ids=[row[-1] for row in PLACES])
def test_where_a_backup_is_restored(
    backup: Path, tmp_path: Path, there: dict[str, str | None], why: str
) -> None:
    for name in there:
        (tmp_path / name).mkdir()
    restore(backup, tmp_path / "data")
    assert (tmp_path / "data/crawl.db").exists(), why
    require_whole(tmp_path / "data")


@pytest.mark.parametrize("name", ["crawl.db", "pins.tsv", "index", "anything"])
def test_a_folder_with_anything_in_it_stays_as_it_is(backup: Path, tmp_path: Path, name: str) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (data / name).write_text("mine", "utf-8")
    assert_refused(backup, data, "is not empty: a backup is restored into an absent or empty folder alone")
    assert tree(data) == {name: b"mine"}


def test_an_existing_crawl_toml_stays(backup: Path, tmp_path: Path) -> None:
    """It may even lie in the folder: the saved one is laid beside it."""
    data = tmp_path / "data"
    data.mkdir()
    (data / "crawl.toml").write_text("# mine\n", "utf-8")
    said = restore_backup(backup, roomy(data), data / "crawl.toml")
    assert (data / "crawl.toml").read_text("utf-8") == "# mine\n"
    assert said.config == str(data / "crawl.toml.restored")
    assert (data / "crawl.toml.restored").read_bytes() == members(backup)["crawl.toml"]


def test_one_that_says_the_same_is_no_news(backup: Path, tmp_path: Path) -> None:
    (tmp_path / "crawl.toml").write_bytes(members(backup)["crawl.toml"])
    assert restore_backup(backup, roomy(tmp_path / "data"), tmp_path / "crawl.toml").config == ""
    assert not (tmp_path / "crawl.toml.restored").exists()


def kind(of: bytes, to: str = "/etc/passwd") -> Hostile:
    """Another type of member; it has no content then."""

    def make(member: tarfile.TarInfo) -> None:
        member.type, member.linkname = of, to

    return make


HOSTILE: list[tuple[str, Hostile | None, str, str]] = [
    ("../crawl.toml", None, "no backup has that", "out of the folder"),
    ("data/../../crawl.toml", None, "no backup has that", "out of it by a detour"),
    ("/etc/crontab", None, "no backup has that", "an absolute path"),
    ("data/index/../../x", None, "no backup has that", "out of the index"),
    ("data/index/g000001/..", None, "no backup has that", "a folder as a file"),
    ("data/sub/folder", None, "no backup has that", "a folder that no data folder has"),
    ("data/crawl.db-wal", None, "no backup has that", "a log of changes, which SQLite would apply"),
    ("data/journal.7", None, "no backup has that", "answers that nobody gave"),
    ("data/crawl.lock", None, "no backup has that", "a lock"),
    ("data/a\nb", None, "no backup has that", "a name that would be two lines"),
    ("data/a\\b", None, "no backup has that", "another system's path"),
    ("data/synonyms.tsv", None, "no backup has that", "a second file of one name"),
    ("data/pins.tsv", kind(tarfile.SYMTYPE), "is no regular file", "a symbolic link"),
    ("data/pins.tsv", kind(tarfile.LNKTYPE), "is no regular file", "a hard link"),
    ("data/pins.tsv", kind(tarfile.CHRTYPE), "is no regular file", "a device"),
    ("data/pins.tsv", kind(tarfile.FIFOTYPE), "is no regular file", "a pipe"),
    ("data/pins.tsv", kind(tarfile.DIRTYPE), "is no regular file", "a folder"),
    ("data/pins.tsv", kind(tarfile.GNUTYPE_SPARSE), "is no regular file", "a file of holes: a bomb"),
    ("data/" + "n" * 120, None, "is no regular file", "a name that needs a member of its own"),
]


@pytest.mark.parametrize(("name", "odd", "match", "why"), HOSTILE, ids=[row[-1] for row in HOSTILE])
def test_hostile_members_are_refused(
    backup: Path, tmp_path: Path, name: str, odd: Hostile | None, match: str, why: str
) -> None:
    files = members(backup)
    end = files.pop("complete.json")
    with tarfile.open(tmp_path / "b.tar", "w:", format=tarfile.GNU_FORMAT) as archive:
        for one, content in [*files.items(), (name, b"" if odd else b"x"), ("complete.json", end)]:
            member = tarfile.TarInfo(one)
            member.size = len(content)
            if odd and one == name:
                odd(member)
            archive.addfile(member, io.BytesIO(content))
    assert_refused(tmp_path / "b.tar", tmp_path / "data", match)
    assert not (tmp_path / "crawl.toml").exists(), why


NEWER = [
    ({"archive": FORMAT + 1}, "a newer archive"),
    ({"schema": SCHEMA_VERSION + 1}, "a newer crawl database"),
    ({"form": FORM + 1}, "a newer index"),
]


@pytest.mark.parametrize(("changed", "why"), NEWER, ids=[row[-1] for row in NEWER])
def test_a_backup_of_a_newer_lycosa_is_refused(
    backup: Path, tmp_path: Path, changed: dict[str, int], why: str
) -> None:
    write_archive(tmp_path / "b.tar", {**members(backup), "backup.json": header(**changed)})
    assert_refused(tmp_path / "b.tar", tmp_path / "data", r"saved by a newer Lycosa \(9.9; its \w+ is")


HEADERS = [
    (b"", "is damaged", "nothing"),
    (b"[]", "is damaged", "no object"),
    (b"{}", "is damaged", "no number"),
    (header(archive="1"), "is damaged", "a number in quotes"),
    (header(archive=-1), "is damaged", "below nought"),
    (b"[" * 100_000, "is damaged", "deep"),
]


@pytest.mark.parametrize(("content", "match", "why"), HEADERS, ids=[row[-1] for row in HEADERS])
def test_headers_that_nobody_wrote(
    backup: Path, tmp_path: Path, content: bytes, match: str, why: str
) -> None:
    write_archive(tmp_path / "b.tar", {**members(backup), "backup.json": content})
    assert_refused(tmp_path / "b.tar", tmp_path / "data", match)


def test_a_header_that_lies_does_not_help(backup: Path, tmp_path: Path) -> None:
    """The database itself says that it is newer."""
    (tmp_path / "newer.db").write_bytes(members(backup)["data/crawl.db"])
    with closing(sqlite3.connect(tmp_path / "newer.db")) as database:
        database.execute(f"PRAGMA user_version={SCHEMA_VERSION + 1}")
    text = (tmp_path / "newer.db").read_bytes()
    write_archive(tmp_path / "b.tar", complete({**members(backup), "data/crawl.db": text}))
    assert_refused(tmp_path / "b.tar", tmp_path / "data", "was written by a newer Lycosa")


def complete(files: dict[str, bytes]) -> dict[str, bytes]:
    """These files with the end that belongs to them."""
    files.pop("complete.json", None)
    sums = {name: [len(text), blake2b(text, digest_size=32).hexdigest()] for name, text in files.items()}
    return {**files, "complete.json": json.dumps({"files": sums}).encode()}


def test_no_archive_of_ours(backup: Path, tmp_path: Path) -> None:
    archive = tmp_path / "b.tar"
    for content, match in [
        (b"", "no backup of Lycosa"),
        (b"x" * 10_000, "no backup of Lycosa"),
        (gzip.compress(backup.read_bytes()), "no backup of Lycosa"),
    ]:
        archive.write_bytes(content)
        assert_refused(archive, tmp_path / "data", match)
    write_archive(archive, {"photo.jpg": b"x"})
    assert_refused(archive, tmp_path / "data", "no backup of Lycosa")
    files = members(backup)
    write_archive(archive, complete({"backup.json": files["backup.json"]}))
    assert_refused(archive, tmp_path / "data", "has no crawl database")
    assert_refused(tmp_path / "none.tar", tmp_path / "data", "cannot read")


def test_an_archive_has_no_more_files_than_an_index_and_its_operator_may_need(
    backup: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.backup.archive.MAX_MEMBERS", 50)
    more = {f"data/{number}.tsv": b"" for number in range(50)}
    write_archive(tmp_path / "b.tar", complete({**members(backup), **more}))
    assert_refused(tmp_path / "b.tar", tmp_path / "data", "more than 50 files")


def test_there_has_to_be_room(backup: Path, tmp_path: Path) -> None:
    config = Config(tmp_path / "data", limits=LimitsConfig(free_bytes=10**18))
    with pytest.raises(EngineError, match="must stay free"):
        restore_backup(backup, config, tmp_path / "crawl.toml")
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("number", range(30))
def test_what_is_cut_off_or_changed_anywhere_is_refused(backup: Path, tmp_path: Path, number: int) -> None:
    """But for bytes that say nothing: padding, the time of a file, what comes after the end."""
    dice, whole = random.Random(number), backup.read_bytes()
    end = whole.rindex(b"complete.json") + 512  # of its header; the digests follow
    (tmp_path / "cut.tar").write_bytes(whole[: dice.randrange(end)])
    assert_refused(tmp_path / "cut.tar", tmp_path / "cut", "cut off|no backup")
    at = dice.randrange(end)
    damaged = bytearray(whole)
    damaged[at] ^= 1 << dice.randrange(8)
    (tmp_path / "damaged.tar").write_bytes(damaged)
    try:
        restore(tmp_path / "damaged.tar", tmp_path / "damaged")
    except EngineError:
        assert not (tmp_path / "damaged").exists()
    else:
        restore(backup, tmp_path / "peace")
        assert tree(tmp_path / "damaged") == tree(tmp_path / "peace")
