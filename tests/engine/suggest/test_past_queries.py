"""Past queries: what is kept of what people ask, for how long, and when it is offered to others."""

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest

from engine.index.indexing.follow import Follower
from engine.search.search import SearchService
from engine.suggest import past_queries as tested
from engine.suggest.past_queries import (
    DAY,
    FILE,
    MAX_DAYS,
    OFFERED,
    SAVE_SECONDS,
    PastQueries,
    PastQuery,
    load_most_asked,
)
from tests.engine.index.source import Memory, page

CLIENTS = count()


class Clock:
    now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


def asked(past: PastQueries, typed: str, times: int = OFFERED) -> None:
    """By so many clients that did not ask before."""
    for _ in range(times):
        past.record(typed, 7, next(CLIENTS))


def begun(past: PastQueries, typed: str) -> list[str]:
    return [one.name for one in past.find_beginning(typed)]


@pytest.mark.parametrize(
    ("typed", "kept", "why"),
    [
        ("event loop", True, "words"),
        ("żółw po polsku", True, "any script"),
        ("python 3.11", True, "a version"),
        ("sha256 of a file", True, "a name with a number"),
        ("jane@doe.example", False, "somebody's address"),
        ("call +49 30 123456", False, "a telephone number"),
        ("4111 1111 1111 1111", False, "the number of a card"),
        ("born 12.03.1977", False, "a date of birth"),
        ("ghp_abcdefghijklmnopqrstuvwxyz0123456789", False, "a key"),
        ("https://a.example/private", False, "an address of a page"),
        ("x" * 32, False, "a password, or junk"),
        ("a long sentence " * 5, False, "nobody else types it"),
        ("   ", False, "nothing"),
    ],
)
def test_what_is_kept(tmp_path: Path, typed: str, kept: bool, why: str) -> None:
    past = PastQueries(tmp_path / FILE, Clock())
    asked(past, typed)
    past.save()
    assert bool(begun(past, typed)) == (tmp_path / FILE).exists() == kept, why


def test_what_was_asked_once_is_not_told_to_others(tmp_path: Path) -> None:
    past = PastQueries(tmp_path / FILE, Clock())
    asked(past, "Event  loop", OFFERED - 1)
    assert begun(past, "eve") == []
    asked(past, "event LOOP", 1)
    assert begun(past, "eve") == ["Event loop"]


def test_what_finds_nothing_is_not_kept(tmp_path: Path) -> None:
    past = PastQueries(tmp_path / FILE, Clock())
    for _ in range(OFFERED):
        past.record("event loop", 0, next(CLIENTS))
    assert begun(past, "eve") == []


def test_they_outlive_the_process_and_grow_old(tmp_path: Path) -> None:
    clock = Clock()
    past = PastQueries(tmp_path / FILE, clock)
    asked(past, "event loop")
    clock.now += SAVE_SECONDS
    past.record("event horizon", 1, next(CLIENTS))
    assert begun(PastQueries(tmp_path / FILE, clock), "eve") == ["event loop"], (
        "written by itself after a minute"
    )
    clock.now += MAX_DAYS * DAY + 1
    assert begun(past, "eve") == []
    asked(past, "evening")
    past.save()
    assert (tmp_path / FILE).read_text() == f"evening\t3\t{clock.now:.0f}\n"


def test_they_are_bounded_and_those_asked_last_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tested, "MAX_QUERIES", 2)
    past = PastQueries(tmp_path / FILE, Clock())
    for typed in ("event one", "event two", "event one", "event three"):
        asked(past, typed)
    assert begun(past, "event") == ["event one", "event three"]


def test_turned_off_nothing_is_kept_and_what_was_is_deleted(tmp_path: Path) -> None:
    past = PastQueries(tmp_path / FILE, Clock())
    asked(past, "event loop")
    past.save()
    off = PastQueries(tmp_path / FILE, Clock(), days=0)
    assert not (tmp_path / FILE).exists()
    asked(off, "event loop")
    off.save()
    assert begun(off, "eve") == []
    assert not (tmp_path / FILE).exists()


def test_none_is_lost_of_those_who_ask_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of the threads that answer counts, whatever another does meanwhile."""
    count_again = PastQuery.count_again

    def slowly(self: PastQuery, client: bytes, now: float) -> PastQuery:
        time.sleep(0.001)  # in which the others have their turn
        return count_again(self, client, now)

    monkeypatch.setattr(PastQuery, "count_again", slowly)
    past = PastQueries(tmp_path / FILE, Clock())
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda client: past.record("event loop", 7, client), range(16)))
    past.save()
    assert (tmp_path / FILE).read_text().startswith("event loop\t16\t")


def test_whoever_asks_again_is_not_counted(tmp_path: Path) -> None:
    past = PastQueries(tmp_path / FILE, Clock())
    for _ in range(100):
        past.record("event loop", 7, "one client")
        past.record("event loop", 7, "another")
    assert begun(past, "eve") == []
    past.record("event loop", 7, "a third")
    assert begun(past, "eve") == ["event loop"]


def test_nothing_is_kept_of_who_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On the disk are queries of several clients alone; in memory few of the clients, and none in clear."""
    monkeypatch.setattr(tested, "TOLD_APART", 4)
    past = PastQueries(tmp_path / FILE, Clock())
    for number in range(1_000):
        past.record("event loop", 7, (4, number))
    past.record("event of one", 7, (4, 3_221_226_219))
    past.save()
    assert (tmp_path / FILE).read_text() == f"event loop\t1000\t{Clock.now:.0f}\n"
    clients = [client for one in past._queries.values() for client in one.clients]
    assert [len(client) for client in clients] == 5 * [tested.CLIENT_OCTETS]
    other = PastQueries(tmp_path / FILE, Clock())
    other.record("event of one", 7, (4, 3_221_226_219))
    assert other._queries["event of one"].clients[0] not in clients, "another process has another salt"


def test_what_one_person_could_fill_is_gone(tmp_path: Path) -> None:
    (tmp_path / tested.COUNTED_BY_REQUEST).write_text(f"spam\t9\t{Clock.now:.0f}\n")
    assert begun(PastQueries(tmp_path / FILE, Clock()), "spa") == []
    assert not (tmp_path / tested.COUNTED_BY_REQUEST).exists()


@pytest.mark.parametrize(
    "text", ["event loop", "event loop\tmany\t1\n", "\t3\t1\n", "event\t99999999999\t1\n", "\0"]
)
def test_a_damaged_file_is_read_as_far_as_it_goes(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(f"{text}\nevent horizon\t{OFFERED}\t{Clock.now:.0f}\n")
    assert begun(PastQueries(tmp_path / FILE, Clock()), "eve") == ["event horizon"]


def test_a_folder_that_cannot_be_written_stops_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    past = PastQueries(tmp_path / "gone" / FILE, Clock())
    asked(past, "event loop")
    past.save()
    assert begun(past, "eve") == ["event loop"]
    assert "cannot save past queries" in caplog.text


def test_completions_have_them_among_names(tmp_path: Path) -> None:
    Follower(Memory(page("http://a.example/", "a loop", title="Events")), tmp_path).catch_up()
    with closing(SearchService(tmp_path, past=[PastQueries(tmp_path / FILE, Clock())])) as search:
        for _ in range(OFFERED):
            search.record_query("event loop", 1, next(CLIENTS))
        assert [one.text for one in search.complete("eve")] == ["Events", "event loop"]
    assert (tmp_path / FILE).exists()


def test_another_process_may_count_and_save_for_several(tmp_path: Path) -> None:
    """Whoever relays counts what it hears alone; it tells no client, and only what may be kept."""
    told = list[tuple[str, bytes]]()
    counting, relaying = PastQueries(tmp_path / FILE, Clock()), PastQueries(tmp_path / "other", Clock())
    relaying.relay(lambda typed, client: told.append((typed, client)))
    asked(relaying, "event loop")
    asked(relaying, "jane@doe.example")
    assert [typed for typed, _ in told] == ["event loop"] * OFFERED
    assert len({client for _, client in told}) == OFFERED
    assert begun(relaying, "eve") == []
    for typed, client in told:
        counting.count(typed, client)
        relaying.count(typed, client)
    assert begun(counting, "eve") == begun(relaying, "eve") == ["event loop"]
    counting.save()
    relaying.save()
    assert [path.name for path in tmp_path.iterdir()] == [FILE]


def test_the_most_asked_come_first_and_none_of_a_few(tmp_path: Path) -> None:
    past = PastQueries(tmp_path / FILE, Clock())
    for typed, times in (("b", OFFERED), ("a", OFFERED), ("c", OFFERED + 1), ("d", OFFERED - 1)):
        asked(past, typed, times)
    past.save()
    assert [one.typed for one in load_most_asked(tmp_path / FILE, 10, 0.0)] == ["c", "a", "b"]
    assert [one.typed for one in load_most_asked(tmp_path / FILE, 1, 0.0)] == ["c"]
    (tmp_path / FILE).write_text("lonely\t1\t1800000000\n")
    assert load_most_asked(tmp_path / FILE, 10, 0.0) == []
