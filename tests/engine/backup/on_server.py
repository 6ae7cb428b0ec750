"""Backups and restores of a crawl database on a server or in a file."""

from contextlib import closing
from pathlib import Path
from typing import Any

from engine.backup import restore_backup, save_backup
from engine.database import open_database
from engine.generations import current_generation
from engine.index.indexing import make_follower
from engine.store import Store
from tests.engine.backup.archives import roomy
from tests.engine.database import rows, side_rows


def save(data: Path, url: str, target: Path) -> None:
    save_backup(roomy(data, url), data.parent / "crawl.toml", target)


def restore(archive: Path, data: Path, url: str = "") -> None:
    restore_backup(archive, roomy(data, url), data.parent / "crawl.toml")


def content(location: Path | str) -> dict[str, Any]:
    """Every row but the identity."""
    engine = open_database(location)
    found = rows.content(engine)
    engine.dispose()
    assert len(found.pop("identity")) == 1
    return found | side_rows.content_of_all(location)


def assert_followed(data: Path, location: Path | str) -> None:
    """The index is of this database, and is not made again."""
    before = current_generation(data)
    with closing(Store(location)) as store:
        make_follower(store, roomy(data)).catch_up()
        generation = current_generation(data)
        assert generation == before
        assert generation
        assert generation.source == store.identity()
        assert generation.caught_up == store.last_change()
