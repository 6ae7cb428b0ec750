"""Damages of side databases are named; one that is not there has none."""

from pathlib import Path

import pytest
import sqlalchemy as sa

from engine.database import ADMIN, OWNERS, PAUSES, find_side_damages, open_side
from engine.errors import Unreadable
from tests.engine.database import side_rows


@pytest.mark.sqlite
def test_damages_of_files(tmp_path: Path) -> None:
    assert list(find_side_damages(tmp_path / "data")) == []
    side_rows.fill(tmp_path)
    assert list(find_side_damages(tmp_path)) == []
    (tmp_path / OWNERS.file).write_bytes(b"no database" * 1_000)
    path = tmp_path / ADMIN.file
    path.write_bytes(path.read_bytes()[:4096] + bytes(4096) + path.read_bytes()[8192:])
    damages = list(find_side_damages(tmp_path))
    assert (OWNERS, "file is not a database") in damages
    assert {side.name for side, _ in damages} == {"owners", "admin"}, "alerts.db has none"


@pytest.mark.postgresql
def test_damages_of_a_server(database_url: str) -> None:
    side_rows.fill(database_url)
    assert list(find_side_damages(database_url)) == []
    with open_side(database_url, ADMIN) as connection:
        connection.execute(sa.text("ALTER TABLE audit RENAME TO lost"))
    with open_side(database_url, PAUSES) as connection:
        connection.execute(sa.text("ALTER TABLE paused_hosts RENAME TO lost"))
    assert list(find_side_damages(database_url)) == [
        (ADMIN, 'relation "audit" does not exist'),
        (PAUSES, 'relation "paused_hosts" does not exist'),
    ]
    with pytest.raises(Unreadable, match="is the server up"):
        list(find_side_damages("postgresql://nobody@127.0.0.1:1/lycosa"))
