"""Places for connections: bookkeeping by a clock that stands still."""

import resource
from ipaddress import ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search_ui.server.connections import (
    MAX_CONNECTIONS,
    PROXIES,
    ConnectionLimiter,
    ConnectionSlot,
    raise_connection_limit,
)


class Told:
    """Whose connections were closed, in order."""

    def __init__(self, places: ConnectionLimiter) -> None:
        self.places, self.closed, self._now = places, list[str](), 0.0

    def come(self, name: str, client: str, is_answered: bool = False) -> ConnectionSlot:
        place = self.places.acquire(client, lambda: self.closed.append(name))
        self._now += 1
        self.places.clear_deadline(place) if is_answered else self.places.start_deadline(place, self._now)
        return place


@pytest.mark.parametrize(
    ("come", "newcomer", "closed", "is_spare", "why"),
    [
        ("a a", "b", "", False, "there is room"),
        ("a a b c", "d", "a", False, "full: the oldest of the client that has most"),
        ("b a c a", "d", "a", False, "not the oldest of all"),
        ("a b c d", "e", "a", False, "all alike: the oldest"),
        ("A A A b", "c", "b", False, "whom we owe an answer stays"),
        ("A A B B", "c", "", True, "nobody gives way"),
        ("a a a", "a", "a", False, "its share is full: its own oldest"),
        ("A A A b", "a", "", True, "its share is full, and all is owed to it: nobody else gives way"),
        ("p p p a", "b", "a", False, "a proxy gives way last"),
        ("p p p p", "b", "p", False, "but it does"),
        ("p p p", "p", "", False, "and has no share"),
    ],
)
def test_who_gives_way(come: str, newcomer: str, closed: str, is_spare: bool, why: str) -> None:
    told = Told(ConnectionLimiter(max_connections=4, max_per_client=3, max_spare=1))
    for name in come.split():
        client = PROXIES if name == "p" else name.lower()
        told.come(name, client, is_answered=name.isupper())
    place = told.come("new", PROXIES if newcomer == "p" else newcomer)
    assert ("".join(told.closed), place.is_spare) == (closed, is_spare), why


def test_spare_places_are_few_and_become_places_when_there_is_room() -> None:
    told = Told(ConnectionLimiter(max_connections=1, max_per_client=1, max_spare=2))
    first = told.come("first", "a", is_answered=True)
    spare = [told.come(name, "b") for name in ("one", "two", "three")]
    assert told.closed == ["one"]
    assert [told.places.admit(place) for place in (first, *spare)] == [True, False, False, False]
    told.places.release(first)
    assert [told.places.admit(place) for place in spare] == [False, True, False]
    assert len(told.places) == 2


def test_whoever_is_waited_for_too_long_is_closed() -> None:
    told = Told(ConnectionLimiter(max_connections=3, max_per_client=2, max_spare=1))
    for name, is_answered in (("a", False), ("b", True), ("c", False)):
        told.come(name, name, is_answered)
    told.places.close_overdue(2.5)
    assert told.closed == ["a"]
    told.places.close_overdue(10.0)
    assert told.closed == ["a", "c"]
    assert len(told.places) == 1


@given(
    st.lists(
        st.tuples(st.sampled_from(["new", "wait", "owe", "leave", "admit", "late"]), st.integers(0, 9)),
        max_size=80,
    )
)
def test_never_more_than_there_are_places(steps: list[tuple[str, int]]) -> None:
    places, seats, now = (
        ConnectionLimiter(max_connections=4, max_per_client=2, max_spare=2),
        list[ConnectionSlot](),
        0.0,
    )
    for what, number in steps:
        now += 1
        if what == "new":
            seats.append(places.acquire(number % 4, lambda: None))
        elif what == "late":
            places.close_overdue(now)
        elif seats:
            place = seats[number % len(seats)]
            if what == "wait":
                places.start_deadline(place, now + number)
            else:
                {"owe": places.clear_deadline, "leave": places.release, "admit": places.admit}[what](place)
        assert 0 <= len(places) <= 4 + 2
    for place in seats:
        places.release(place)
    assert (len(places), places.counts._of, places._waiting, places._spare) == (0, {}, {}, {})


@pytest.mark.parametrize(
    ("peer", "client"),
    [
        ("198.51.100.1", (4, 0xC6336401)),
        ("2001:db8::1", (6, 0x20010DB800000000)),
        ("2001:db8::2", (6, 0x20010DB800000000)),
        ("10.0.0.5", PROXIES),
    ],
)
def test_whose_connection_it_is(peer: str, client: object) -> None:
    assert ConnectionLimiter(proxies=(ip_network("10.0.0.0/24"),)).identify_client((peer, 1)) == client


@pytest.mark.parametrize(
    ("limits", "raised_to", "allowed", "warns", "why"),
    [
        ((1_024, 524_288), 1_568, MAX_CONNECTIONS, False, "as systemd begins a service"),
        ((65_536, 65_536), None, MAX_CONNECTIONS, False, "more than enough"),
        ((1_024, 1_024), None, 480, True, "no more to be had"),
        ((256, 256), None, 64, True, "hardly any"),
        ((1_024, -1), 1_568, MAX_CONNECTIONS, False, "no bound"),
    ],
)
def test_files_are_for_more_than_connections(
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    limits: tuple[int, int],
    raised_to: int | None,
    allowed: int,
    warns: bool,
    why: str,
) -> None:
    was_raised: list[int] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: limits)
    monkeypatch.setattr(resource, "setrlimit", lambda _, both: was_raised.append(both[0]))
    assert raise_connection_limit() == allowed, why
    assert was_raised == ([] if raised_to is None else [raised_to]), why
    assert ("raise LimitNOFILE=" in caplog.text) is warns, why
