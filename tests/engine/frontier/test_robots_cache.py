"""The robots.txt files of more hosts than there is memory for."""

from pathlib import Path

import pytest
import sqlalchemy as sa

from engine.frontier import robots_cache
from engine.frontier.robots_cache import BASE_BYTES, LINE_BYTES, RobotsCache
from engine.robots import AGENT, RobotsState, Verdict
from engine.store.known_hosts import save_robots
from engine.store.page_store import Store

pytestmark = pytest.mark.requirement(14)

BODY = b"User-agent: *\nDisallow: /private\n"
WEIGHT = BASE_BYTES + 2 * len(BODY) + 2 * LINE_BYTES
HOSTS = [f"http://h{n}.example" for n in range(10)]


def state(body: bytes = BODY, verdict: Verdict = Verdict.OBEY) -> RobotsState:
    return RobotsState(verdict, body, 0.0, 1.0)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = Store(tmp_path)
    with store.engine.begin() as connection:
        for host in HOSTS:
            save_robots(connection, host, state())
    return store


@pytest.mark.requirement(120)
def test_what_leaves_is_read_anew(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """No more than so many bytes, and every host's rules hold all the same."""
    monkeypatch.setattr(robots_cache, "MAX_RULES_BYTES", 3 * WEIGHT)
    book = RobotsCache(store.engine)
    for _ in range(2):
        for host in HOSTS:
            known = book.get(host)
            assert known
            assert not known.allowed(AGENT, f"{host}/private")
            assert len(book._long) <= 3
    assert list(book._long) == HOSTS[-3:]
    assert book._bytes == 3 * WEIGHT


def test_who_is_asked_stays(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(robots_cache, "MAX_RULES_BYTES", 3 * WEIGHT)
    book = RobotsCache(store.engine)
    first = book.get(HOSTS[0])
    for host in HOSTS[1:]:
        book.get(host)
        assert book.get(HOSTS[0]) is first, "the same object: its rules were read once"


def test_one_long_file_has_room_in_any_case(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(robots_cache, "MAX_RULES_BYTES", WEIGHT)
    book, long = RobotsCache(store.engine), state(BODY * 100)
    book.put("http://o.example", long)
    assert book.get("http://o.example") is long, "it is about to be stored: nobody else has it yet"


def test_what_has_no_body_stays(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A host that was removed is shut in memory only."""
    monkeypatch.setattr(robots_cache, "MAX_RULES_BYTES", WEIGHT)
    book, shut = RobotsCache(store.engine), state(b"", Verdict.DISALLOW_ALL)
    book.put(HOSTS[0], shut)
    for host in HOSTS[1:]:
        book.get(host)
    assert book.get(HOSTS[0]) is shut
    opened = state()
    book.put(HOSTS[0], opened)
    assert book.get(HOSTS[0]) is opened


def test_nothing_is_known_of_a_stranger(store: Store) -> None:
    assert RobotsCache(store.engine).get("http://o.example") is None


def test_those_whose_turn_comes_next_are_loaded_along(store: Store) -> None:
    """In one statement; what is known in memory stays, as does what no database has."""
    book, shut, begun = RobotsCache(store.engine, lambda: HOSTS[1:4]), state(b"", Verdict.DISALLOW_ALL), []
    fresh = state(BODY * 2)
    book.put(HOSTS[1], shut)
    book.put(HOSTS[2], fresh)
    sa.event.listen(store.engine, "before_cursor_execute", lambda *given: begun.append(given))
    loaded = [book.get(host) for host in HOSTS[:4]]
    assert len(begun) == 1
    assert loaded == [state(), shut, fresh, state()]
