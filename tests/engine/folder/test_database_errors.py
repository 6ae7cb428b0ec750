"""What an error of the crawl database tells the operator to do."""

import sqlite3
import struct
from collections.abc import Callable

import pytest
import sqlalchemy as sa
from zstandard import ZstdError

from engine.database import open_database
from engine.errors import EngineError
from engine.folder import explain_failure

BACKUP, DISK = "restore a damaged crawl database from a backup", "is the disk full?"


def raised(script: str, query: str) -> sa.exc.DBAPIError:
    """What SQLAlchemy raises for a query, after a script."""
    engine = sa.create_engine("sqlite://")
    with engine.connect() as connection:
        connection.connection.executescript(script)
        with pytest.raises(sa.exc.DBAPIError) as caught:
            connection.exec_driver_sql(query).all()
    engine.dispose()
    return caught.value


ERRORS = (
    (
        lambda: raised("PRAGMA max_page_count = 1", "CREATE TABLE t (a)"),
        DISK,
        "no byte more fits: SQLITE_FULL",
    ),
    (lambda: raised("PRAGMA query_only = 1", "CREATE TABLE t (a)"), DISK, "no right to write"),
    (lambda: raised("", "ATTACH '/nowhere/at/all' AS b"), DISK, "no folder: SQLITE_CANTOPEN"),
    (lambda: raised("", "SELECT CAST(x'ff' AS TEXT)"), BACKUP, "a text is none, and Python says so"),
    (lambda: raised("", "SELECT a FROM gone"), BACKUP, "the name of a table was damaged"),
    (
        lambda: raised("CREATE TABLE t (a UNIQUE); INSERT INTO t VALUES (1)", "INSERT INTO t VALUES (1)"),
        BACKUP,
        "a key that became another's",
    ),
    (lambda: ZstdError("Data corruption detected"), BACKUP, "a text does not unpack"),
    (lambda: struct.error("unpack_from requires 4 bytes"), BACKUP, "a text has lost its end"),
    (lambda: TypeError("NoneType"), BACKUP, "a value of another type than was written"),
)


@pytest.mark.parametrize(("error", "mend", "why"), ERRORS)
def test_the_sentence_says_what_to_do(error: Callable[[], Exception], mend: str, why: str) -> None:
    assert mend in str(explain_failure(error(), writing=True)), why


@pytest.mark.postgresql
def test_a_server_tells_of_its_disk(database_url: str) -> None:
    """It is up, and nobody need look for it."""
    engine = open_database(database_url)
    says = "RAISE 'could not extend file' USING ERRCODE = 'disk_full'"
    with engine.connect() as connection, pytest.raises(sa.exc.OperationalError) as failed:
        connection.exec_driver_sql(f"DO $$ BEGIN {says}; END $$")
    engine.dispose()
    said = str(explain_failure(failed.value, writing=True))
    assert "could not extend file; the PostgreSQL server's disk is full: make room there" in said
    assert "is the PostgreSQL server up" not in said


def test_who_reads_is_not_told_of_a_full_disk() -> None:
    denied = sqlite3.OperationalError("database is locked")
    denied.sqlite_errorcode = sqlite3.SQLITE_BUSY  # as the module sets it
    assert str(explain_failure(denied)) == "cannot use the crawl database: database is locked"


def test_a_sentence_stays_as_it_is() -> None:
    error = EngineError("there is no crawl.toml")
    assert explain_failure(error, writing=True) is error
