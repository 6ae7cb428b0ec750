"""Adding URLs: what one call does is what a call a host does, in as few statements for many as for one."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import pytest
import sqlalchemy as sa
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.database import hosts, open_empty_database, urls, write_transaction
from engine.frontier.caps import Caps
from engine.frontier.domains import DomainLimits
from engine.frontier.host_share import HostShare
from engine.frontier.new_url import NewUrl, group_new
from engine.frontier.politeness import PACES
from engine.frontier.queue import Frontier
from engine.frontier.suspects import Suspects

NOW = 1_000.0
OWN = "http://own.example"


class Limits(NamedTuple):
    """What a frontier may take."""

    queries: int = 100
    host_pages: int = 100
    domain: DomainLimits = DomainLimits()


UNLIMITED = Limits()


def make_frontier(
    engine: sa.Engine, limits: Limits = UNLIMITED, counts: Counter[str] | None = None
) -> Frontier:
    caps = Caps(Suspects(Counter() if counts is None else counts), *limits, lambda host: host == OWN)
    return Frontier(engine, lambda _: PACES["polite"], lambda: 0.0, caps, lambda _: 0)


def add(frontier: Frontier, engine: sa.Engine, found: Sequence[NewUrl]) -> int:
    with write_transaction(engine) as connection:
        return frontier.add(connection, found, NOW)


def dump(engine: sa.Engine) -> list[Any]:
    """All rows of hosts and URLs, their ids included."""
    with engine.connect() as connection:
        return [
            [tuple(row) for row in connection.execute(sa.select(table).order_by(table.c.id))]
            for table in (hosts, urls)
        ]


def ask_all(frontier: Frontier) -> list[str]:
    """What is asked first of each host, in its order."""
    asked = []
    while claim := frontier.claim(NOW):
        asked.append(claim.url)
    return asked


NAMES = ("http://a.com", "http://www.a.com", "http://x.a.com", "http://b.org", OWN)
PATHS = ("/", "/1", "/2", "/s?1", "/s?2", "/s?3")
SOME_URLS = st.lists(
    st.builds(
        lambda host, path, depth: NewUrl(host + path, depth),
        st.sampled_from(NAMES),
        st.sampled_from(PATHS),
        st.integers(0, 2),
    ),
    max_size=25,
)
SOME_LIMITS = st.builds(
    Limits,
    st.integers(1, 3),
    st.integers(1, 4),
    st.builds(DomainLimits, st.integers(1, 3), st.integers(1, 6), st.integers(1, 6)),
)


def assert_one_adds_what_many_add(first: list[NewUrl], then: list[NewUrl], limits: Limits) -> None:
    """To a database that knows some of it from another run, and to hosts that this one has met."""
    outcomes = []
    for at_once in (True, False):
        engine, counts = open_empty_database(), Counter[str]()
        add(make_frontier(engine), engine, first[::2])
        frontier = make_frontier(engine, limits, counts)
        for found in (first, then):
            for some in [found] if at_once else group_new(found, ()).values():
                add(frontier, engine, some)
        outcomes.append((dump(engine), counts, frontier.waiting, ask_all(frontier)))
        engine.dispose()
    assert outcomes[0] == outcomes[1]


@settings(max_examples=30)
@given(first=SOME_URLS, then=SOME_URLS, limits=SOME_LIMITS)
def test_one_call_adds_what_one_for_each_host_adds(
    first: list[NewUrl], then: list[NewUrl], limits: Limits
) -> None:
    assert_one_adds_what_many_add(first, then, limits)


@pytest.mark.slow
@given(first=SOME_URLS, then=SOME_URLS, limits=SOME_LIMITS)
def test_it_does_so_of_many_urls(first: list[NewUrl], then: list[NewUrl], limits: Limits) -> None:
    assert_one_adds_what_many_add(first, then, limits)


def urls_of(numbers: Iterable[int], path: str) -> list[NewUrl]:
    return [NewUrl(f"http://h{number}.example{path}", 1) for number in numbers]


@pytest.mark.parametrize(
    ("known", "path", "why"),
    [
        ((), "/", "unknown hosts"),
        (("/",), "/1", "hosts that another run has met"),
        (("/",), "/", "where nothing is new"),
        (("/",), "/s?1", "paths whose queries are counted"),
    ],
)
def test_many_hosts_take_as_many_statements_as_one(
    engine: sa.Engine, known: Sequence[str], path: str, why: str
) -> None:
    """On a server each is a way there and back."""
    for before in known:
        add(make_frontier(engine), engine, urls_of(range(40), before))
    frontier, counts = make_frontier(engine), list[int]()
    for numbers in (range(1), range(1, 40)):
        begun: list[object] = []
        with write_transaction(engine) as connection:
            sa.event.listen(
                connection, "before_cursor_execute", lambda *given, begun=begun: begun.append(given)
            )
            frontier.add(connection, urls_of(numbers, path), NOW)
        counts.append(len(begun))
    assert counts[0] == counts[1] <= 8, why


OTHERS = (1, 2)  # the runs that live; we are the first
OURS, THEIRS = (HostShare(run, OTHERS).buckets[0] for run in OTHERS)


@pytest.mark.parametrize(
    ("place", "lease", "is_leased", "why"),
    [
        (OURS, None, True, "ours, and free"),
        (OURS, 1, True, "ours, and we have asked it before"),
        (OURS, 7, True, "ours, and who has asked it is gone"),
        (OURS, 2, False, "ours, but the other one still asks it"),
        (THEIRS, None, False, "the other one's, who has to hear of it"),
        (THEIRS, 2, False, "the same, although he has it"),
    ],
)
def test_whose_a_host_is(engine: sa.Engine, place: int, lease: int | None, is_leased: bool, why: str) -> None:
    """Of one that we may not ask another run hears."""
    add(make_frontier(engine), engine, urls_of([1], "/"))
    with write_transaction(engine) as connection:
        connection.execute(sa.update(hosts).values(place=place, lease=lease))
    frontier = make_frontier(engine)
    with write_transaction(engine) as connection:
        frontier.redistribute(connection, HostShare(1, OTHERS), lambda _: False, NOW)
        connection.execute(sa.update(hosts).values(lease=lease))
        frontier.add(connection, urls_of([1], "/1"), NOW)
        row = connection.execute(sa.select(hosts.c.lease, hosts.c.called)).one()
    assert (row.lease == 1, bool(row.called)) == (is_leased, not is_leased), why
    assert frontier.waiting == is_leased, why
