"""Side databases: one way to files and to schemas of a server, which several machines share."""

import dataclasses
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest
import sqlalchemy as sa

from engine.database import (
    ADMIN,
    ALERTS,
    COMPLAINTS,
    OWNERS,
    SIDES,
    SideDatabase,
    alerts,
    attempts,
    audit,
    complaints,
    lock_side,
    open_database,
    open_side,
    proofs,
    sessions,
    write_side,
)
from engine.errors import Busy, EngineError, Unreadable
from tests.engine.database.side_rows import content
from tests.postgresql import Server

AWAY = "postgresql://nobody@127.0.0.1:1/lycosa"
ROW = {"id_hash": b"\0\xff", "begun_at": 1.5, "seen_at": 2.5}
# Files that a Lycosa of November 2026 has made, without types where it wrote none.
OLDER = {
    "owners.db": """
CREATE TABLE sessions (id_hash BLOB PRIMARY KEY, begun_at REAL, seen_at REAL) WITHOUT ROWID;
CREATE TABLE proofs (host TEXT, value TEXT, at REAL, PRIMARY KEY (host, value)) WITHOUT ROWID;
CREATE TABLE grants (id_hash BLOB, host TEXT, value TEXT, PRIMARY KEY (id_hash, host)) WITHOUT ROWID;
CREATE TABLE removals (host TEXT, number INTEGER PRIMARY KEY, pages INTEGER) WITHOUT ROWID;
CREATE INDEX removals_of_host ON removals (host);
CREATE TABLE checks (host TEXT PRIMARY KEY, checks_left REAL, left_at REAL) WITHOUT ROWID;
INSERT INTO proofs VALUES ('http://h.example', 'v', 5.0);
""",
    "admin.db": """
CREATE TABLE sessions (id_hash BLOB PRIMARY KEY, begun_at REAL, seen_at REAL) WITHOUT ROWID;
CREATE TABLE password (number INTEGER PRIMARY KEY CHECK (number = 1), hash TEXT, set_at REAL);
CREATE TABLE attempts (number INTEGER PRIMARY KEY, at REAL, network TEXT, is_local INTEGER);
CREATE TABLE audit (
    number INTEGER PRIMARY KEY AUTOINCREMENT, at REAL, address TEXT, action TEXT, detail TEXT
);
INSERT INTO attempts (at, network, is_local) VALUES (7.0, '4:1', 1);
INSERT INTO audit (at, address, action, detail) VALUES (1.0, '', 'login', '');
""",
    "alerts.db": """
CREATE TABLE alerts (
    kind, subject, id, since, seen_at, judged_at, mark, message, advice, is_told, over_at, quiet_until, times,
    PRIMARY KEY (kind, subject)
) WITHOUT ROWID;
CREATE TABLE outbox (
    number INTEGER PRIMARY KEY AUTOINCREMENT, channel TEXT, tries INTEGER, next_at REAL,
    id, status, kind, subject, since, until, message, advice, times
);
INSERT INTO alerts VALUES ('disk', '', 'x', 1.0, 2.5, 3.0, '', 'full', 'free', 1, NULL, 0.0, 1);
""",
    "recrawl.db": """
CREATE TABLE tokens (
    name TEXT PRIMARY KEY, digest BLOB, sites TEXT, per_hour INTEGER, made_at REAL, used_at REAL,
    urls_left REAL, left_at REAL
) WITHOUT ROWID;
CREATE TABLE requests (
    number INTEGER PRIMARY KEY, id TEXT UNIQUE, token TEXT, kind TEXT, url TEXT, at REAL
);
""",
    "complaints.db": """
CREATE TABLE complaints (
    number INTEGER PRIMARY KEY AUTOINCREMENT, host TEXT, text TEXT, contact TEXT, at REAL, pauses INTEGER,
    answer TEXT, closed_at REAL
);
CREATE INDEX complaints_open ON complaints (host) WHERE closed_at IS NULL;
INSERT INTO complaints (host, text, at, pauses) VALUES ('http://h.example', 'x', 1.5, 1);
""",
    "viewers.db": """
CREATE TABLE sessions (id_hash BLOB PRIMARY KEY, ends_at REAL, member TEXT, member_of TEXT) WITHOUT ROWID;
""",
}


@pytest.fixture(params=["file", pytest.param("server", marks=pytest.mark.postgresql)])
def location(request: pytest.FixtureRequest, tmp_path: Path) -> Path | str:
    if request.param == "file":
        return tmp_path / "data"
    url: str = request.getfixturevalue("database_url")
    return url


def test_who_looks_finds_nothing_and_makes_no_file(tmp_path: Path) -> None:
    for side in SIDES:
        assert not any(content(tmp_path / "data", side).values())
    assert not (tmp_path / "data").exists()


def test_what_is_committed_is_there_and_what_failed_is_not(location: Path | str) -> None:
    with write_side(location, ADMIN) as connection:
        connection.execute(sa.insert(sessions), ROW)
    with suppress(ZeroDivisionError), write_side(location, ADMIN) as connection:
        connection.execute(sa.delete(sessions))
        raise ZeroDivisionError
    assert content(location, ADMIN)["sessions"] == [(b"\0\xff", 1.5, 2.5)]
    assert content(location, OWNERS)["sessions"] == [], "each has its own"
    with open_side(location, ADMIN) as connection:
        connection.execute(sa.delete(sessions))
    assert content(location, ADMIN)["sessions"] == [], "each statement stands alone"


def test_one_writes_at_a_time(location: Path | str) -> None:
    """What is read in a transaction stays true until its end."""

    def count_up() -> None:
        with write_side(location, ADMIN) as connection:
            number = connection.execute(sa.select(sa.func.count()).select_from(sessions)).scalar_one()
            connection.execute(sa.insert(sessions), {**ROW, "id_hash": bytes([number])})

    threads = [threading.Thread(target=count_up) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [row[0] for row in content(location, ADMIN)["sessions"]] == [bytes([n]) for n in range(8)]


def test_what_one_process_alone_does(location: Path | str, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir(exist_ok=True)
    with lock_side(location, ADMIN):
        with pytest.raises(EngineError), lock_side(location, ADMIN):
            pass
        with lock_side(location, OWNERS):
            pass
    with lock_side(location, ADMIN) as connection:
        assert connection.execute(sa.select(sessions)).all() == []


@pytest.mark.sqlite
def test_files_that_are_there_go_on(tmp_path: Path) -> None:
    for name, script in OLDER.items():
        with closing(sqlite3.connect(tmp_path / name)) as database:
            database.executescript(script)
    with write_side(tmp_path, ADMIN) as connection:
        assert connection.execute(sa.select(attempts.c.is_local)).scalars().all() == [True]
        connection.execute(sa.insert(audit).values(at=2.0))
        assert connection.execute(sa.select(audit.c.number)).scalars().all() == [1, 2]
    with open_side(tmp_path, ALERTS) as connection:
        (row,) = connection.execute(sa.select(alerts)).all()
    assert (row.kind, row.seen_at, row.is_told, row.over_at) == ("disk", 2.5, 1, None)
    with open_side(tmp_path, OWNERS) as connection:
        assert connection.execute(sa.select(proofs)).all() == [("http://h.example", "v", 5.0)]
    with write_side(tmp_path, COMPLAINTS) as connection:
        assert connection.execute(sa.select(complaints.c.pauses)).scalars().all() == [True]
        connection.execute(sa.delete(complaints))
        connection.execute(sa.insert(complaints).values(pauses=False))
        assert connection.execute(sa.select(complaints.c.number)).scalars().all() == [2]


@pytest.mark.sqlite
@pytest.mark.parametrize("side", SIDES, ids=[side.name for side in SIDES])
def test_a_new_file_has_the_layout_of_the_older_one(tmp_path: Path, side: SideDatabase) -> None:
    """Columns, where there were some with their affinities, and keys: an older Lycosa goes on with it."""
    with write_side(tmp_path, side) as connection:
        new = _shapes(connection)
    (tmp_path / side.file).unlink()
    with closing(sqlite3.connect(tmp_path / side.file)) as database:
        database.executescript(OLDER[side.file])
    with write_side(tmp_path, side) as connection:
        older = _shapes(connection)
    untyped = {name for name, (kind, _) in older.items() if not kind}
    assert {name: ("" if name in untyped else kind, key) for name, (kind, key) in new.items()} == older


def _shapes(connection: sa.Connection) -> dict[tuple[str, str], tuple[str, int]]:
    """Type and place in the key of each column of each table."""
    kinds = {"FLOAT": "REAL", "BOOLEAN": "INTEGER"}
    return {
        (table, row.name): (kinds.get(row.type, row.type), row.pk)
        for table in sa.inspect(connection).get_table_names()
        for row in connection.exec_driver_sql(f"PRAGMA table_info({table})")
    }


BROKEN: list[tuple[Callable[[Path], object], str]] = [
    (lambda path: path.write_bytes(b"no database" * 100), "overwritten"),
    (lambda path: path.mkdir(), "a folder"),
]


@pytest.mark.sqlite
@pytest.mark.parametrize(("damage", "why"), BROKEN, ids=[row[-1] for row in BROKEN])
def test_a_file_that_cannot_be_read(tmp_path: Path, damage: Callable[[Path], object], why: str) -> None:
    damage(tmp_path / ADMIN.file)
    with pytest.raises(Unreadable, match=r"cannot use .*admin\.db"), open_side(tmp_path, ADMIN):
        pass


@pytest.mark.postgresql
def test_a_server_that_is_away_is_asked_again(database_url: str, postgresql_server: Server) -> None:
    with pytest.raises(Unreadable, match="is the server up"), open_side(AWAY, ADMIN):
        pass
    with write_side(database_url, ADMIN) as connection:
        connection.execute(sa.insert(sessions), ROW)
    postgresql_server.stop()
    with pytest.raises(Unreadable, match="is the server up"), open_side(database_url, ADMIN):
        pass
    postgresql_server.start()
    assert content(database_url, ADMIN)["sessions"] == [(b"\0\xff", 1.5, 2.5)]


@pytest.mark.postgresql
def test_who_waits_too_long_is_told(database_url: str) -> None:
    hasty = dataclasses.replace(ADMIN, busy_seconds=0.1)
    with (
        write_side(database_url, ADMIN),
        pytest.raises(Busy, match="others are writing"),
        write_side(database_url, hasty),
    ):
        pass


@pytest.mark.postgresql
def test_a_schema_of_its_own_is_made_in_a_database_of_ours_alone(
    database_url: str, postgresql_server: Server
) -> None:
    """Whoever comes first; a role may be let into the crawl's tables without these."""
    with write_side(database_url, ADMIN):
        pass
    engine = open_database(database_url)
    there = sa.inspect(engine)
    assert there.get_table_names("admin") == ["attempts", "audit", "password", "sessions"]
    assert "hosts" in there.get_table_names()
    assert "sessions" not in there.get_table_names()
    engine.dispose()
    foreign = postgresql_server.create_database()
    postgresql_server.execute("CREATE TABLE theirs (number int)", foreign.rpartition("/")[2])
    with pytest.raises(EngineError, match="tables of another program"), open_side(foreign, ADMIN):
        pass
