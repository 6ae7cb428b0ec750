"""Who has signed in is known for a working day, by an id of which a hash is kept."""

from pathlib import Path

import pytest

from engine.oidc import Viewer, ViewerSessions, sessions
from engine.oidc.sessions import MAX_SECONDS
from tests.crawling import Clock

ADA = Viewer("ada", frozenset({"staff", "board"}))


@pytest.fixture(params=["file", pytest.param("server", marks=pytest.mark.postgresql)])
def location(request: pytest.FixtureRequest, tmp_path: Path) -> Path | str:
    if request.param == "file":
        return tmp_path / "data"
    url: str = request.getfixturevalue("database_url")
    return url


def test_a_session(location: Path | str) -> None:
    kept = ViewerSessions(location)
    assert kept.find("x") is None
    first, second = kept.begin(ADA, ""), kept.begin(Viewer("bob"), "")
    assert (kept.find(first), kept.find(second)) == (ADA, Viewer("bob"))
    kept.end(first)
    assert (kept.find(first), kept.find(second)) == (None, Viewer("bob"))


def test_the_one_before_ends(location: Path | str) -> None:
    kept = ViewerSessions(location)
    first = kept.begin(ADA, "")
    second = kept.begin(ADA, first)
    assert first != second
    assert (kept.find(first), kept.find(second)) == (None, ADA)


def test_it_ends_after_a_working_day(tmp_path: Path) -> None:
    kept = ViewerSessions(tmp_path, clock := Clock())
    session = kept.begin(ADA, "")
    clock.now += MAX_SECONDS - 1
    assert kept.find(session) == ADA
    clock.now += 1
    assert kept.find(session) is None


def test_the_oldest_end_where_there_are_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "MAX_SESSIONS", 3)
    kept, ids = ViewerSessions(tmp_path, clock := Clock()), list[str]()
    for _ in range(5):
        ids.append(kept.begin(ADA, ""))
        clock.now += 1
    assert [bool(kept.find(one)) for one in ids] == [False, False, True, True, True]
