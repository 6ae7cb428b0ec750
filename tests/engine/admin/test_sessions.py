"""Sessions: random, hashed, and over in time."""

from pathlib import Path

import pytest
import sqlalchemy as sa

from engine.admin.sessions import (
    IDLE_SECONDS,
    MAX_SECONDS,
    MAX_SESSIONS,
    begin_session,
    end_session,
    is_living,
)
from engine.database import ADMIN, sessions, write_side
from tests.engine.database.side_rows import dump


@pytest.mark.parametrize(
    ("seen", "now", "lives", "why"),
    [
        ([], 0, True, "at once"),
        ([], IDLE_SECONDS - 1, True, "nearly idle for too long"),
        ([], IDLE_SECONDS, False, "idle for too long"),
        ([1_000], 1_000 + IDLE_SECONDS - 1, True, "each request is a sign of life"),
        ([30], IDLE_SECONDS, False, "one in the first minute is not noted"),
        (range(0, 43_200, 600), MAX_SECONDS - 1, True, "used all day"),
        (range(0, 43_200, 600), MAX_SECONDS, False, "a day's end, however much it is used"),
    ],
)
def test_how_long_it_lives(tmp_path: Path, seen: range, now: float, lives: bool, why: str) -> None:
    with write_side(tmp_path, ADMIN) as connection:
        session = begin_session(connection, 0)
        for moment in seen:
            assert is_living(connection, session, moment)
        assert is_living(connection, session, now) is lives, why


def test_an_id_is_nowhere_in_the_file(tmp_path: Path) -> None:
    with write_side(tmp_path, ADMIN) as connection:
        ids = {begin_session(connection, 0) for _ in range(5)}
    kept = dump(tmp_path, ADMIN)
    assert [one for one in ids if one.encode() in kept] == []
    assert {len(one) for one in ids} == {43}, "256 bits in base64"
    assert len(ids) == 5


def test_the_oldest_ends_where_there_are_many_and_the_dead_are_swept(tmp_path: Path) -> None:
    with write_side(tmp_path, ADMIN) as connection:
        ids = [begin_session(connection, at) for at in range(MAX_SESSIONS + 1)]
        assert [is_living(connection, one, 30) for one in ids] == [False, *[True] * MAX_SESSIONS]
        begin_session(connection, MAX_SECONDS + 100)
        assert connection.execute(sa.select(sa.func.count()).select_from(sessions)).scalar_one() == 1


def test_an_end_is_an_end(tmp_path: Path) -> None:
    with write_side(tmp_path, ADMIN) as connection:
        one, other = begin_session(connection, 0), begin_session(connection, 0)
        assert (end_session(connection, one), end_session(connection, one)) == (True, False)
        assert (is_living(connection, one, 1), is_living(connection, other, 1)) == (False, True)
