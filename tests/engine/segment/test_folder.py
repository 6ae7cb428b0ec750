"""Whoever writes a commit may be killed anywhere, and the disk may be full: the commit before is there."""

import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from whoosh import index
from whoosh.filedb import filestore

from engine.segment import folder
from engine.segment.build import build_segment
from engine.segment.codec import ArraySegment
from engine.segment.draft import Draft
from engine.segment.merge import MergeSource, merge
from engine.segment.segment import Segment
from tests.engine.segment.plain import holds, made_of, some_documents
from tests.engine.segment.test_draft import SCHEMA, add, held

BEFORE = {"u1": ["amber"], "u2": ["basil", "basil"], "u3": []}
COME = {"u2": ["cedar"], "u4": ["amber", "cedar"]}
AFTER = {url: words for url, words in BEFORE.items() if url != "u3"} | COME
FIRST: list[dict[str, list[str]]] = [{"u0": ["cedar"], "u1": ["amber"]}, {"u2": BEFORE["u2"]}, {"u3": []}]
TOC: Any = index.TOC
STORE: Any = filestore.FileStorage
STEPS = {"open", "os.rename", "os.remove", "os.listdir"}


class Killed(BaseException):
    """The process is no more."""


class Death:
    """Comes when a process goes to the folder so many times, and lasts."""

    def __init__(self) -> None:
        self.path, self.left, self.taken = "", 0, 0
        self.written: set[str] = set()
        sys.addaudithook(self._seen)

    @contextmanager
    def after(self, steps: int, path: Path) -> Iterator[None]:
        """At the step after so many, and at each one after that: the dead do not tidy up."""
        self.path, self.left, self.taken = str(path), steps, 0
        try:
            yield
        finally:
            self.path = ""

    def _seen(self, event: str, seen: tuple[Any, ...]) -> None:
        if self.path and event in STEPS and str(seen[0]).startswith(self.path):
            self.taken += 1
            if event == "open" and "w" in str(seen[1]):
                self.written.add(Path(str(seen[0])).name)
            if self.taken > self.left:
                raise Killed


@pytest.fixture(scope="module")
def death() -> Death:
    """One for all: Python keeps an audit hook for ever."""
    return Death()


@contextmanager
def room_for(octets: int) -> Iterator[None]:
    """No file may grow beyond; the kernel says so when it is written to."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (octets, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.fixture
def before(tmp_path: Path) -> Path:
    """A folder with some commits, the last of three segments, votes and a deletion."""
    path = tmp_path / "before"
    path.mkdir()
    folder.create(path, SCHEMA)
    for come in FIRST:
        add(draft := Draft(path, SCHEMA), come)
        draft.delete("url", ["u0"] if "u3" in come else [])
        draft.commit()
    assert held(path) == voted(BEFORE)
    return path


def voted(documents: Mapping[str, list[str]]) -> dict[str, tuple[list[str], float]]:
    """As held() finds them."""
    return {url: (words, len(words)) for url, words in documents.items()}


def change(path: Path) -> None:
    """A commit that deletes, adds, merges and votes."""
    draft = Draft(path, SCHEMA)
    draft.delete("url", ["u2", "u3"])
    add(draft, COME)
    draft.merge(draft.parts[:2])
    draft.commit()


def files_of(path: Path, last: int) -> set[str]:
    """What a folder should have: the last commits with their files."""
    numbers = range(folder.latest_commit(path) - last + 1, folder.latest_commit(path) + 1)
    tables = [path / f"_MAIN_{number}.toc" for number in numbers]
    segments = [segment for table in tables for segment in contents_of(path, table)]
    files = {file for segment in segments for file in segment.files}
    return {folder.TAG} | {table.name for table in tables} | files


def contents_of(path: Path, table: Path) -> Sequence[ArraySegment]:
    """The segments that a table of contents names."""
    number = int(table.stem.removeprefix("_MAIN_"))
    found: Sequence[ArraySegment] = TOC.read(STORE(str(path)), folder.NAME, gen=number).segments
    return found


def goes_on(path: Path, holding: Mapping[str, list[str]]) -> None:
    """Another commit finds what is there, and sweeps what was left behind."""
    add(draft := Draft(path, SCHEMA), {"u9": ["amber"]})
    draft.commit()
    assert held(path) == voted({**holding, "u9": ["amber"]})
    assert {file.name for file in path.iterdir()} == files_of(path, 2)


@pytest.mark.slow
@pytest.mark.requirement(25)
def test_a_kill_leaves_the_commit_before_or_after(before: Path, tmp_path: Path, death: Death) -> None:
    """Wherever it comes. While octets are written, they have no name that anybody reads."""
    path, found = tmp_path / "now", []
    shutil.copytree(before, path)
    with death.after(10**6, path):
        change(path)
    assert len(death.written) > 3
    assert {Path(name).suffix for name in death.written if "MAIN" in name} == {".draft"}
    for steps in range(death.taken):
        shutil.rmtree(path)
        shutil.copytree(before, path)
        with death.after(steps, path), pytest.raises(Killed):
            change(path)
        there = AFTER if folder.latest_commit(path) > folder.latest_commit(before) else BEFORE
        assert held(path) == voted(there)
        goes_on(path, there)
        found.append(there)
    assert found.index(AFTER) > 20
    assert BEFORE not in found[found.index(AFTER) :]


def test_a_full_disk_leaves_the_commit_before(before: Path, tmp_path: Path) -> None:
    path = tmp_path / "now"
    shutil.copytree(before, path)
    change(path)
    there = {file.name for file in before.iterdir()}
    largest = max(file.stat().st_size for file in path.iterdir() if file.name not in there)
    for octets in range(0, largest, largest // 15):
        shutil.rmtree(path)
        shutil.copytree(before, path)
        with room_for(octets), pytest.raises(OSError, match="large"):
            change(path)
        assert folder.latest_commit(path) == folder.latest_commit(before)
        assert not list(path.glob("*.draft"))
        assert held(path) == voted(BEFORE)
        goes_on(path, BEFORE)


def test_octets_are_on_the_disk_before_they_have_a_name(
    before: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cut of the power, too: the table of contents comes last, and then the folder itself."""
    done: list[tuple[str, int]] = []
    there, rename = {file.name for file in before.iterdir()}, Path.rename

    def renamed(path: Path, name: Path) -> Path:
        done.append((name.name, path.stat().st_ino))
        return rename(path, name)

    monkeypatch.setattr(os, "fsync", lambda handle: done.append(("kept", os.fstat(handle).st_ino)))
    monkeypatch.setattr(Path, "rename", renamed)
    change(before)
    names = [(at, name, inode) for at, (name, inode) in enumerate(done) if name != "kept"]
    assert all(done[at - 1] == ("kept", inode) for at, _, inode in names)
    assert {name for _, name, _ in names} >= files_of(before, 1) - there
    kept = ("kept", before.stat().st_ino)
    assert [name for name, _ in done[-5:]] == [
        f"_MAIN_{folder.latest_commit(before)}.toc",
        *["kept"] * 2,
        folder.TAG,
        "kept",
    ]
    assert done[-4] == done[-1] == kept, "the folder, before the tag says what is in it and after"


def test_nothing_is_left_of_a_segment_that_found_no_room(tmp_path: Path) -> None:
    documents = some_documents(3, 60, 200)
    made, path = made_of(documents), tmp_path / "segment"
    build_segment(path, *made)
    source = MergeSource(Segment(path), np.ones(len(documents), np.bool_))
    merge(tmp_path / "merged", [source])
    size = min(path.stat().st_size, (tmp_path / "merged").stat().st_size)
    path.unlink()
    (tmp_path / "merged").unlink()
    for octets in range(0, size, size // 12):
        with room_for(octets), pytest.raises(OSError, match="large"):
            build_segment(path, *made)
        with room_for(octets), pytest.raises(OSError, match="large"):
            merge(path, [source])
        assert list(tmp_path.iterdir()) == []
    with room_for(2 * size):
        build_segment(path, *made)
    holds(Segment(path), documents)


@pytest.mark.long
def test_a_real_disk_that_fills_up(tmp_path: Path) -> None:
    """Commits go on until there is no room; what is committed stays, and goes on when there is room again."""
    disk = tmp_path / "disk"
    disk.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "none", disk], capture_output=True)
    if done.returncode:
        pytest.skip(f"no file system can be mounted here: {done.stderr.decode()}")
    try:
        folder.create(disk, SCHEMA)
        documents, come = dict[str, list[str]](), dict[str, list[str]]()
        with pytest.raises(OSError, match="No space left"):  # noqa: PT012 - it may come anywhere
            for number in range(10**6):
                come = {f"u{number}-{at}": ["amber"] * at for at in range(20)}
                add(draft := Draft(disk, SCHEMA), come)
                draft.merge_crowded()
                draft.commit()
                documents |= come
        assert len(documents) > 100
        if next(iter(come)) in held(disk):  # it stood already, and what is done after that had no room
            documents |= come
        assert held(disk) == voted(documents)
        subprocess.run(["mount", "-o", "remount,size=2m", disk], check=True)
        goes_on(disk, documents)
    finally:
        subprocess.run(["umount", "-l", disk], check=True)
