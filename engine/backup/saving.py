"""Saves a data folder into one file, while crawls and searches run."""

import os
import shutil
import sqlite3
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from engine import VERSION
from engine.backup.archive import FORMAT, HEADER, ArchiveWriter
from engine.backup.databases import DatabaseSnapshot
from engine.backup.saved_files import DATABASE
from engine.backup.snapshot import FolderSnapshot, open_snapshot
from engine.config import Config
from engine.errors import EngineError
from engine.folder import OF_DATABASE, FreeSpace, lock_folder
from engine.generations import sync_folder

CONFIG = "crawl.toml"
DATA = "data"  # the folder of an archive that stands for DATA_DIR


@dataclass(frozen=True, slots=True)
class Saved:
    """What a backup has: names in the archive, bytes, and what is left out, a sentence each."""

    names: list[str]
    size: int
    lacking: tuple[str, ...]


def save_backup(config: Config, crawl_toml: Path, target: Path) -> Saved:
    """Writes a backup beside its place and renames it into it; what was there stays until then.

    Folder and server may be used meanwhile. Takes twice the room of the databases, and leaves what is to stay
    free. Raises EngineError where the crawl database is damaged or away, or there is no room.
    """
    data_dir = config.data_dir
    if not config.database_url and not (data_dir / DATABASE).exists():
        raise EngineError(f"there is no crawl database in {data_dir}: nothing to save")
    if target.resolve().is_relative_to(data_dir.resolve()):
        raise EngineError(
            f"{target} is in the data folder itself: name a place outside, best on another disk"
        )
    if target.is_dir() or not target.parent.is_dir():
        raise EngineError(f"{target} is a folder, or in none: name a file in a folder that is there")
    with lock_folder(data_dir, "backup"), _draft_folder(target) as draft:
        with open_snapshot(config, crawl_toml) as snapshot:
            FreeSpace(target.parent, config.limits.free_bytes).require(_count_bytes(snapshot))
            copies = {name: _copy_database(one, draft, name) for name, one in snapshot.databases.items()}
            schema = _check_database(copies[DATABASE], data_dir)
            with (draft / "archive").open("wb") as file:
                archive = ArchiveWriter(file)
                formats = {"archive": FORMAT, "schema": schema, "form": snapshot.form, "version": VERSION}
                archive.add_json(HEADER, formats, time.time())
                _add_files(archive, crawl_toml, snapshot, copies)
                archive.finish(time.time())
                file.flush()
                os.fsync(file.fileno())
        size = (draft / "archive").stat().st_size
        (draft / "archive").replace(target)
        sync_folder(target.parent)
    return Saved(archive.names, size, snapshot.lacking)


@contextmanager
def _draft_folder(target: Path) -> Iterator[Path]:
    """Makes an empty folder beside the target; clears away what a killed process left of it."""
    draft = target.with_name(f".{target.name}.part")
    try:
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir()
        yield draft
    except OSError as error:
        raise EngineError(
            f"cannot write {target}: {error.strerror}; a backup that was there stays"
        ) from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _count_bytes(snapshot: FolderSnapshot) -> int:
    """Adds up what is written: databases twice, as they are copied before they are packed."""
    of_databases = sum(one.count_bytes() for one in snapshot.databases.values())
    return 2 * of_databases + sum(one.size for one in snapshot.files)


def _copy_database(source: DatabaseSnapshot, draft: Path, name: str) -> Path:
    """Copies a database as its transaction sees it, then ends that."""
    path = draft / name.replace("/", "-")
    try:
        source.copy_to(path)
    except OF_DATABASE as error:
        said = str(getattr(error, "orig", error)).partition("\n")[0]
        raise EngineError(f"cannot copy {name}: {said}; a backup that was there stays") from error
    return path


def _check_database(path: Path, data_dir: Path) -> int:
    """Returns the schema of the copy. Raises EngineError where it is damaged: a backup is whole."""
    with closing(sqlite3.connect(path)) as copy:
        (said,) = copy.execute("PRAGMA quick_check(1)").fetchone()
        if said != "ok":
            raise EngineError(
                f"{data_dir / DATABASE} is damaged, and is not saved ({' '.join(said.split())}): restore "
                "an earlier backup; 'scrapy check' says what is damaged"
            )
        (version,) = copy.execute("PRAGMA user_version").fetchone()
    return int(version)


def _add_files(
    archive: ArchiveWriter, crawl_toml: Path, snapshot: FolderSnapshot, copies: Mapping[str, Path]
) -> None:
    """Adds crawl.toml, the databases, of which each copy goes at once, and all other files."""
    if crawl_toml.is_file():
        with crawl_toml.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            archive.add(CONFIG, size, file, crawl_toml.stat().st_mtime)
    for name, path in copies.items():
        with path.open("rb") as file:
            archive.add(f"{DATA}/{name}", path.stat().st_size, file, time.time())
        path.unlink()
    for one in snapshot.files:
        archive.add(f"{DATA}/{one.name}", one.size, one.file, one.mtime)
