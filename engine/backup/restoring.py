"""Restores a backup into a data folder that is absent or empty.

    DATA_DIR/restoring/restore.lock   held by the process that restores
                       new/           what is unpacked and checked, until all of it is
                       names          what goes from there into DATA_DIR
                       server         see engine.backup.server, if that has the crawl database

While `restoring` is there no command uses the folder, and the same command begins again. So a kill at any
moment leaves nothing that passes for the whole.
"""

import json
import os
import shutil
import tomllib
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from sqlalchemy.exc import DBAPIError

from engine import generations
from engine.backup.archive import (
    DIGEST_BYTES,
    END,
    FORMAT,
    HEADER,
    ArchiveMember,
    copy_bytes,
    read_json,
    read_members,
)
from engine.backup.saved_files import DATABASE, INDEX, is_saved
from engine.backup.saving import CONFIG, DATA
from engine.backup.server import MARKER, move_to_server, require_room_on_server
from engine.config import Config
from engine.database import SCHEMA_VERSION
from engine.errors import DamagedError, EngineError
from engine.folder import RESTORING, FreeSpace, explain_failure, lock_folder
from engine.generations import sync_folder, write_atomically
from engine.index.indexing import withdraw
from engine.store import Store

LAID_BESIDE = ".restored"  # what is added to the name of crawl.toml where there is another already
FOREIGN = frozenset({"lost+found"})  # what an empty disk has


@dataclass(frozen=True, slots=True)
class Restored:
    """What was restored."""

    config: str  # where the saved crawl.toml was laid; '': there was none, or the same is in place
    lacking: str  # what there is to do for the index; '': nothing
    elsewhere: str  # the crawl database that the saved crawl.toml names, if it is another and none was there


def restore_backup(archive: Path, config: Config, crawl_toml: Path) -> Restored:
    """Unpacks a backup, checks every byte of it, and moves it into place: the crawl database to its server.

    Raises EngineError where folder or server's database are not empty, the archive is damaged, cut off, of a
    newer Lycosa or none of ours, or there is no room.
    """
    data_dir = config.data_dir
    _require_empty(data_dir, crawl_toml)
    try:
        with archive.open("rb") as file:
            _check_formats(archive, next(read_members(archive, file)))
    except OSError as error:
        raise EngineError(f"cannot read {archive}: {error.strerror}") from error
    FreeSpace(data_dir, config.limits.free_bytes).require(archive.stat().st_size)
    if config.database_url:
        require_room_on_server(config.database_url, data_dir / RESTORING / MARKER)
    try:
        with _restoring(data_dir) as folder:
            new = folder / "new"
            _remove(new)
            new.mkdir()
            _unpack(archive, new)
            lacking = _prepare_index(archive, new / DATA)
            elsewhere = _find_other_database(new / CONFIG, crawl_toml)
            laid = _lay_config(new / CONFIG, crawl_toml, is_beside=bool(elsewhere))
            if config.database_url:
                move_to_server(config.database_url, new / DATA, folder / MARKER)
            _move_into_place(new / DATA, data_dir)
    except OSError as error:
        raise EngineError(f"cannot restore into {data_dir}: {error.strerror}") from error
    except DBAPIError as error:
        raise explain_failure(error, writing=True) from error
    return Restored(laid, lacking, elsewhere)


def _require_empty(data_dir: Path, crawl_toml: Path) -> None:
    """Raises EngineError for a folder with anything in it but what a stopped restore has left."""
    try:
        there = set(os.listdir(data_dir)) - FOREIGN
    except FileNotFoundError:
        return
    except OSError as error:
        raise EngineError(f"cannot read {data_dir}: {error.strerror}") from error
    if data_dir.resolve() == crawl_toml.resolve().parent:
        there -= {crawl_toml.name, crawl_toml.name + LAID_BESIDE}
    if there and RESTORING not in there:
        raise EngineError(
            f"{data_dir} is not empty: a backup is restored into an absent or empty folder alone; move it "
            "away, or name another with -s DATA_DIR=FOLDER"
        )


def _check_formats(archive: Path, member: ArchiveMember) -> None:
    """Raises EngineError for what is no backup, or one that this Lycosa cannot read."""
    if member.name != HEADER:
        raise EngineError(f"{archive} is no backup of Lycosa")
    formats = read_json(archive, member)
    newest = {"archive": FORMAT, "schema": SCHEMA_VERSION, "form": generations.FORM}
    found = {name: formats.get(name) for name in newest}
    if not all(isinstance(number, int) and number >= 0 for number in found.values()):
        raise EngineError(f"{archive} is damaged: {HEADER} cannot be read")
    if newer := [name for name, number in found.items() if number > newest[name]]:  # type: ignore[operator]
        raise EngineError(
            f"{archive} was saved by a newer Lycosa ({formats.get('version')!s:.20}; its {newer[0]} is "
            f"{found[newer[0]]}, ours {newest[newer[0]]}): install that version, and restore it with that"
        )


@contextmanager
def _restoring(data_dir: Path) -> Iterator[Path]:
    """Marks the folder as unfinished, until its block is done; where it fails nothing of it is left.

    A folder that is not ours to write is the operator's mistake: raises EngineError.
    """
    folder, is_new = data_dir / RESTORING, not data_dir.exists()
    with lock_folder(folder, "restore"):
        moved = folder / "names"
        if moved.exists():  # a restore before this was stopped while it moved these
            for name in json.loads(moved.read_text("utf-8")):
                _remove(data_dir / name)
            moved.unlink()
        with ExitStack() as failed:
            failed.callback(_discard, folder, moved, data_dir if is_new else None)
            yield folder
            failed.pop_all()
        sync_folder(data_dir)
        _clear_away(folder)


def _clear_away(folder: Path) -> None:
    """Deletes the folder; a marker goes with it in one step, as without that a second restore is refused."""
    if (folder / MARKER).exists():
        folder, before = folder.with_name(f"{RESTORING}.part"), folder
        _remove(folder)
        before.replace(folder)
    shutil.rmtree(folder)


def _discard(folder: Path, moved: Path, new: Path | None) -> None:
    """Discards what was unpacked, and a data folder that is new, before anything of it was moved.

    What a server has of it stays marked.
    """
    if (folder / MARKER).exists():
        shutil.rmtree(folder / "new", ignore_errors=True)
    elif not moved.exists():
        shutil.rmtree(folder, ignore_errors=True)
        if new:
            new.rmdir()


def _unpack(archive: Path, new: Path) -> None:
    """Unpacks every member to its place below `new`, and compares all with what the archive's end says."""
    found: dict[str, list[object]] = {}
    with archive.open("rb") as file:
        for member in read_members(archive, file):
            if member.name == END:
                written = read_json(archive, member).get("files")
                break
            if member.name in found or not _belongs(member.name):
                raise EngineError(f"{archive} has {member.name!r:.200}: no backup has that")
            found[member.name] = [member.size, _write(member, new)]
    if written != found:
        raise EngineError(f"{archive} is damaged: its files are not what was saved")
    if f"{DATA}/{DATABASE}" not in found:
        raise EngineError(f"{archive} is damaged: it has no crawl database")
    for folder in {(new / name).parent for name in found}:
        sync_folder(folder)


def _belongs(name: str) -> bool:
    folder, _, place = name.partition("/")
    return name in (HEADER, CONFIG) or (folder == DATA and is_saved(place))


def _write(member: ArchiveMember, new: Path) -> str | None:
    """Writes a member to the disk; returns its digest, None where the archive is cut off in it."""
    path = new / member.name
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("xb") as file:
        digest = copy_bytes(member, member.size, file)
        file.flush()
        os.fsync(file.fileno())
    os.utime(path, (member.mtime, member.mtime))
    return digest


def _prepare_index(archive: Path, data: Path) -> str:
    """Takes out of the index what had left the crawl database when both were saved; returns what it lacks.

    The database of an older Lycosa is migrated by that. Raises EngineError where it is none of ours.
    """
    try:
        store = Store(data)
    except EngineError as error:
        raise EngineError(f"{archive} cannot be restored: {error}") from error
    with closing(store):
        generation = generations.undamaged_generation(data)
        if generation is None:
            return "the backup has no index: 'scrapy rebuild' makes one"
        if not generation.is_readable:
            return "the index was made by an older Lycosa: 'scrapy rebuild' makes a new one"
        try:
            if generation.caught_up < store.last_change():
                withdraw(store, generation)
        except (EngineError, OSError, DamagedError):
            shutil.rmtree(data / INDEX)  # it may show what was removed
            return "the index was damaged when it was saved: 'scrapy rebuild' makes a new one"
    return ""


def _find_other_database(saved: Path, crawl_toml: Path) -> str:
    """Finds the server's database that the saved crawl.toml names, where no other is in place; '': none.

    It is not the one that is restored, and may be in use.
    """
    if crawl_toml.exists() or not saved.exists():
        return ""
    try:
        return str(tomllib.loads(saved.read_text("utf-8")).get("database", ""))
    except ValueError:
        return ""


def _lay_config(saved: Path, crawl_toml: Path, *, is_beside: bool) -> str:
    """Lays the saved crawl.toml in its place, or beside that; returns where, '' where it need not be."""
    if not saved.exists():
        return ""
    place = crawl_toml
    if crawl_toml.exists() and _digest(crawl_toml) == _digest(saved):
        return ""
    if crawl_toml.exists() or is_beside:
        place = crawl_toml.with_name(crawl_toml.name + LAID_BESIDE)
    aside = place.with_name(f"{place.name}.part")  # it may lie on another disk
    shutil.copyfile(saved, aside)
    aside.replace(place)
    return str(place)


def _digest(path: Path) -> bytes:
    with path.open("rb") as file:
        digest = blake2b(digest_size=DIGEST_BYTES)
        while chunk := file.read(1 << 20):
            digest.update(chunk)
    return digest.digest()


def _move_into_place(data: Path, data_dir: Path) -> None:
    """Moves what is complete into the data folder; what is there already is the operator's, and stays."""
    names = [
        name for name in os.listdir(data) if not (data_dir / name).exists() and not name.endswith(".lock")
    ]
    write_atomically(data_dir / RESTORING / "names", json.dumps(names))
    for name in names:
        (data / name).replace(data_dir / name)


def _remove(path: Path) -> None:
    """Deletes a file or a folder, if it is there."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
