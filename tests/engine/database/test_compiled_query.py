"""A query that is asked again and again answers as by SQLAlchemy, and fails as by SQLAlchemy."""

from pathlib import Path

import pytest
import sqlalchemy as sa

from engine.database import CompiledQuery, open_database, runs
from engine.errors import EngineError
from engine.folder import explain_failure
from tests.postgresql import Server

QUERY = sa.select(
    sa.select(sa.func.max(runs.c.id)).scalar_subquery(),
    sa.exists().where(runs.c.kind == "crawl", runs.c.beat_at > sa.bindparam("since")),
)


def check_rows(location: Path | str) -> None:
    """What others have written since the last question is in the next answer."""
    engine, asked = open_database(location), CompiledQuery(QUERY)
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        rows = [asked.fetch_row(connection, {"since": 5.0})]
        for number, beat in enumerate((5.0, 6.0), 1):
            with engine.begin() as writing:
                row = {"id": number, "kind": "crawl", "started_at": 0.0, "beat_at": beat}
                writing.execute(sa.insert(runs), row)
            rows.append(asked.fetch_row(connection, {"since": 5.0}))
        rows.append(asked.fetch_row(connection, {"since": 6.0}))
    engine.dispose()
    assert rows == [(None, False), (1, False), (2, True), (2, False)]


def test_rows_of_a_file(tmp_path: Path) -> None:
    check_rows(tmp_path)


@pytest.mark.postgresql
def test_rows_of_a_server(database_url: str) -> None:
    check_rows(database_url)


@pytest.mark.postgresql
def test_a_server_that_ends_the_connection(database_url: str, postgresql_server: Server) -> None:
    engine, asked = open_database(database_url), CompiledQuery(QUERY)
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        asked.fetch_row(connection, {"since": 0.0})
        own = connection.exec_driver_sql("SELECT pg_backend_pid()").scalar_one()
        postgresql_server.execute(f"SELECT pg_terminate_backend({own}, 5000)")
        with pytest.raises(sa.exc.OperationalError) as failed:
            asked.fetch_row(connection, {"since": 0.0})
        assert connection.invalidated
    engine.dispose()
    said = explain_failure(failed.value)
    assert isinstance(said, EngineError)
    assert "terminating connection due to administrator command; is the PostgreSQL server up" in str(said)
