"""Whose the data folder is: its owner's, or a group's where the operator says so."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.database import SCHEMAS
from engine.folder.permissions import keep_private
from tests.running import scrapy


@pytest.fixture(autouse=True)
def _usual_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def rights(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def every(data: Path) -> dict[str, int]:
    return {str(path.relative_to(data)): rights(path) for path in data.rglob("*")}


def test_commands_write_for_their_owner_alone(tmp_path: Path) -> None:
    data = tmp_path / "data"
    scrapy(data, "rebuild")
    scrapy(data, "status")
    assert rights(data) == 0o700
    assert {"crawl.db", "index", "index/current", "index/g000001", "index/g000001/links.db"} <= {*every(data)}
    assert not {name: oct(mode) for name, mode in every(data).items() if mode & 0o077}


def test_a_folder_that_others_could_read_is_mended_and_told_of(tmp_path: Path) -> None:
    data = tmp_path / "data"
    scrapy(data, "rebuild")
    (data / "notes.txt").touch()
    for path in (data, *data.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    said = scrapy(data, "status").stderr
    assert said.count("\n") == 1
    assert "was readable by others" in said
    assert {name for name, mode in every(data).items() if mode & 0o077} == {"notes.txt"}, "which is not ours"
    assert scrapy(data, "status").stderr == "", "it is said once"


FOLDERS = [
    (0o2770, 0o2770, 0o660, False, "a group, by the operator's hand"),
    (0o2775, 0o2770, 0o660, True, "a group, and others"),
    (0o1777, 0o1777, 0o600, False, "everybody's, as /tmp: files are ours alone"),
    (0o700, 0o700, 0o600, False, "nothing to mend"),
    (0o750, 0o700, 0o600, True, "a group that nobody asked for"),
]


@pytest.mark.parametrize(
    ("before", "after", "file", "told", "why"), FOLDERS, ids=[row[-1] for row in FOLDERS]
)
def test_what_becomes_of_a_folder(
    tmp_path: Path, before: int, after: int, file: int, told: bool, why: str
) -> None:
    data = tmp_path / "data"
    data.mkdir()
    data.chmod(before)
    assert keep_private(data) == told, why
    (data / "crawl.db").open("w").close()
    assert (rights(data), rights(data / "crawl.db")) == (after, file), why


def test_a_link_in_it_is_not_followed(tmp_path: Path) -> None:
    """It may lead anywhere."""
    data, elsewhere = tmp_path / "data", tmp_path / "elsewhere"
    data.mkdir(mode=0o755)
    elsewhere.touch(0o644)
    (data / "crawl.db").symlink_to(elsewhere)
    assert keep_private(data)
    assert rights(elsewhere) == 0o644


OURS = [
    ("crawl.db", "pages"),
    ("crawl.db-wal", "pages that are not in it yet"),
    ("journal.7", "the same"),
    ("history.db", "counts of hosts"),
    *[(side.file, "what a server has in a schema") for side in SCHEMAS],
    ("past.db", "queries, as an older Lycosa kept them"),
    ("asked_queries.tsv", "queries"),
    ("unanswered_queries.draft", "queries that a killed process was about to keep"),
    ("requests/2026-11-25.jsonl", "what was asked"),
    ("restoring/new/data/crawl.db", "a restore that was stopped"),
    ("restoring.part/marker", "one that was about to end"),
]


@pytest.mark.parametrize(("name", "why"), OURS, ids=[name for name, _ in OURS])
def test_what_is_ours_is_kept_from_others(tmp_path: Path, name: str, why: str) -> None:
    tmp_path.chmod(0o755)
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch(0o644)
    assert keep_private(tmp_path)
    assert rights(path) == 0o600, why
