"""Caps on queries of a path and on pages of a host, with what the database has already."""

from collections import Counter
from collections.abc import Sequence

import pytest

from engine.database import open_empty_database, write_transaction
from engine.frontier.caps import Caps
from engine.frontier.domains import DomainLimits
from engine.frontier.new_url import NewUrl
from engine.frontier.politeness import PACES
from engine.frontier.queue import Frontier
from engine.frontier.suspects import Suspects

HOST = "http://h.example"


@pytest.mark.requirement(42)
@pytest.mark.parametrize(
    ("known", "found", "refused", "why"),
    [
        ("", "/s?1 /s?2", "", "as many as the cap"),
        ("", "/s?1 /s?2 /s?3 /t?1", "queries", "one more; another path has a cap of its own"),
        ("/s?1", "/s?2 /s?3", "queries", "with what the database has"),
        ("/s?1 /s?2", "/s /s?3", "queries", "also where the path itself is found with them"),
        ("/s /s?1 /so?1", "/s?2", "", "the path itself is no query, nor is one that begins alike"),
        ("/1 /2 /3", "/4 /s?1 /5", "host pages", "five pages of the host"),
    ],
)
def test_endless_spaces(known: str, found: str, refused: str, why: str) -> None:
    counts = Counter[str]()
    caps = Caps(Suspects(counts), 2, 5, DomainLimits(), lambda _: False)
    engine = open_empty_database()
    frontier = Frontier(engine, lambda _: PACES["polite"], lambda: 0.0, caps, lambda _: 0)
    with write_transaction(engine) as connection:
        frontier.add(connection, links(known), 0.0)
        assert not counts
        frontier.add(connection, links(found), 0.0)
    engine.dispose()
    assert counts == ({f"links skipped: {refused}": 1} if refused else {}), why


def links(paths: str) -> Sequence[NewUrl]:
    return [NewUrl(HOST + path, 1) for path in paths.split()]
