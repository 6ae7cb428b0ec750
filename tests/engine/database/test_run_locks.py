"""Runs lock themselves on the server that several machines share; those of a folder: tests/engine/folder."""

from collections.abc import Iterator
from contextlib import ExitStack, closing

import pytest
import sqlalchemy as sa

from engine.database.run_locks import ServerRunLocks, open_run_locks
from engine.errors import EngineError
from tests.postgresql import Server
from tests.running import until

pytestmark = pytest.mark.postgresql


@pytest.fixture
def pair(database_url: str) -> Iterator[tuple[ServerRunLocks, ServerRunLocks]]:
    """The locks of two processes."""
    with ExitStack() as stack:
        one, other = (stack.enter_context(closing(open_run_locks(database_url))) for _ in range(2))
        assert isinstance(one, ServerRunLocks)
        assert isinstance(other, ServerRunLocks)
        yield one, other


def test_a_run_is_locked_while_its_process_lives(pair: tuple[ServerRunLocks, ServerRunLocks]) -> None:
    one, other = pair
    one.lock(5)
    assert [locks.is_locked(5) for locks in pair] == [True, True]
    assert [locks.is_locked(6) for locks in pair] == [False, False]
    one.close()
    assert not other.is_locked(5)


def test_who_keeps_all_out_finds_nobody_and_lets_nobody_in(
    pair: tuple[ServerRunLocks, ServerRunLocks],
) -> None:
    one, other = pair
    one.lock(5)
    with (
        pytest.raises(EngineError, match=r"another crawl is using .*'scrapy vacuum' has to wait"),
        other.lock_all("'scrapy vacuum'"),
    ):
        raise AssertionError
    one.close()
    third = ServerRunLocks(str(other._url))
    with closing(third), other.lock_all("'scrapy vacuum'"):
        with pytest.raises(EngineError, match="another process is using"):
            third.lock(6)
        assert not third.is_locked(6)
    with closing(ServerRunLocks(str(other._url))) as later:
        later.lock(6)
        assert other.is_locked(6)


def test_databases_of_one_server_have_locks_of_their_own(
    pair: tuple[ServerRunLocks, ServerRunLocks], postgresql_server: Server
) -> None:
    one, _ = pair
    one.lock(5)
    with closing(ServerRunLocks(postgresql_server.create_database())) as elsewhere:
        assert not elsewhere.is_locked(5)
        with elsewhere.lock_all("'scrapy vacuum'"):
            pass


def test_a_session_that_the_server_has_ended(
    pair: tuple[ServerRunLocks, ServerRunLocks], postgresql_server: Server
) -> None:
    """Its run is free for others, and it hears of that at its next look."""
    one, other = pair
    one.lock(5)
    query = "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objid = 5"
    postgresql_server.execute(query)
    until(lambda: not other.is_locked(5), "the session's end")
    with pytest.raises(sa.exc.DBAPIError):
        one.is_locked(5)


def test_a_server_that_is_not_there() -> None:
    with pytest.raises(EngineError, match="is the server up"):
        open_run_locks("postgresql://postgres@127.0.0.1:1/x")
