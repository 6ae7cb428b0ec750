"""The time by which crawls of several machines decide is the server's."""

import itertools
import time
from pathlib import Path

import pytest
import sqlalchemy as sa

from engine.database import open_clock, open_database
from engine.database.clock import SYNC_SECONDS, ServerClock

pytestmark = pytest.mark.postgresql


def test_it_is_asked_now_and_then(database_url: str) -> None:
    """Between, seconds are counted here, so that a call costs nothing and no clock that is set moves it."""
    engine, counted, asked = open_database(database_url), 100.0, list[str]()
    sa.event.listen(engine, "before_cursor_execute", lambda *call: asked.append(call[2]))
    clock = ServerClock(engine, lambda: counted)
    first = clock()
    assert abs(first - time.time()) < 5, "the server is on this machine"
    before = len(asked)
    counted += SYNC_SECONDS - 1
    assert clock() == first + SYNC_SECONDS - 1
    assert len(asked) == before
    counted += 1
    assert abs(clock() - time.time()) < 5, "asked again: our count has run away"
    assert len(asked) > before
    engine.dispose()


def test_half_of_the_way_there_and_back_is_the_way_back(database_url: str) -> None:
    """A server that is slow to answer, or far away: our time is wrong by no more than half of the wait."""
    engine, counts = open_database(database_url), itertools.count(0, 10)
    clock = ServerClock(engine, lambda: float(next(counts)))
    before = time.time()
    assert before <= clock() - 10 / 2 <= time.time(), (
        "asked at 10 and answered at 20, by this machine's clock"
    )
    engine.dispose()


def test_which_clock_a_database_has(database_url: str, tmp_path: Path) -> None:
    on_server, in_folder = open_database(database_url), open_database(tmp_path)
    assert isinstance(open_clock(database_url, on_server), ServerClock)
    assert open_clock(tmp_path, in_folder) is time.time
    on_server.dispose()
    in_folder.dispose()


def test_a_server_that_is_away(database_url: str) -> None:
    engine = sa.create_engine("postgresql+psycopg://postgres@127.0.0.1:1/x")
    with pytest.raises(sa.exc.DBAPIError):
        ServerClock(engine)()
