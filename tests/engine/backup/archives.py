"""Archives of backups, as Lycosa writes them and as nobody should."""

import io
import json
import tarfile
from collections.abc import Callable, Mapping
from pathlib import Path

from engine.backup.saving import save_backup
from engine.config import Config, LimitsConfig
from engine.generations import FORM
from engine.store import Store
from tests.recovery.test_formats import unpacked
from tests.running import scrapy

Hostile = Callable[[tarfile.TarInfo], None]


def roomy(data: Path, database_url: str = "") -> Config:
    """The configuration of a data folder on a disk that may become full."""
    return Config(data, limits=LimitsConfig(free_bytes=0), database_url=database_url)


def small_folder(folder: Path) -> Path:
    """A data folder with 18 pages, a crawl database and an index of today, and a file of the operator."""
    data = unpacked(folder, FORM)
    Store(data).close()
    (data / "synonyms.tsv").write_text("spider\taraneae\n", "utf-8")
    return data


def small_backup(folder: Path) -> Path:
    """A backup of that."""
    data, config = small_folder(folder / "source"), folder / "source.toml"
    config.write_text('contact = "you@example.org"\n', "utf-8")
    save_backup(roomy(data), config, folder / "backup.tar")
    return folder / "backup.tar"


def server_folder(folder: Path, database_url: str) -> Path:
    """A data folder with an index, whose crawl.toml names an empty database: the pages are restored there."""
    archive, data = small_backup(folder), folder / "data"
    data.mkdir(mode=0o700)
    (data / "crawl.toml").write_text(f'database = "{database_url}"\n', "utf-8")
    scrapy(data, "restore", str(archive))
    return data


def members(archive: Path) -> dict[str, bytes]:
    """Name and content of each file."""
    with tarfile.open(archive, "r:") as file:
        return {one.name: file.extractfile(one).read() for one in file}  # type: ignore[union-attr]


def write_archive(path: Path, files: Mapping[str, bytes], odd: Mapping[str, Hostile] = {}) -> None:
    """Writes these files as a tar; what is `odd` of a member is done to its header."""
    with tarfile.open(path, "w:", format=tarfile.GNU_FORMAT) as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            if name in odd:
                odd[name](member)
            archive.addfile(member, io.BytesIO(content))


def header(**changed: object) -> bytes:
    return json.dumps({"archive": 1, "schema": 1, "form": 1, "version": "9.9", **changed}).encode()


def tree(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, but locks and logs of databases."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not path.name.endswith((".lock", "-wal", "-shm"))
    }
