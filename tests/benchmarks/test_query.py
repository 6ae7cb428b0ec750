"""Who is asked what, how often, and which time counts for which kind."""

from collections import Counter
from collections.abc import Sequence

import pytest

from benchmarks import query
from benchmarks.corpora.queries import KINDS
from benchmarks.peers.contest import OURS, BenchmarkQuery, StoredFields

COUNT = 4
HITS = dict(zip(KINDS, (3, 2, 1), strict=True))


class Scripted:
    """An index that finds so many documents for each kind, and counts what it is asked."""

    def __init__(self) -> None:
        self.asked: Counter[BenchmarkQuery] = Counter()
        self.order: list[BenchmarkQuery] = []

    def parse(self, asked: BenchmarkQuery) -> BenchmarkQuery:
        self.asked[asked] += 1
        self.order.append(asked)
        return asked

    def find(self, parsed: BenchmarkQuery) -> list[int]:
        return list(range(HITS[parsed.kind]))

    def kept(self, found: Sequence[int]) -> list[StoredFields]:
        return [StoredFields(str(number), "", "") for number in found]

    def close(self) -> None: ...


def test_all_are_asked_the_same_in_turn_and_rows_are_of_their_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(query, "COUNT", COUNT)
    asked = {kind: [BenchmarkQuery(kind, (str(number),)) for number in range(2 * COUNT)] for kind in KINDS}
    searchers = {OURS: Scripted(), "peer": Scripted()}
    rows = {row.name: row for row in query.timed_rows(searchers, asked)}
    hits = {kind: rows[f"query.info.{kind}.hits"] for kind in KINDS}
    assert {kind: (row.ours, row.peer_value) for kind, row in hits.items()} == {
        kind: (HITS[kind], HITS[kind]) for kind in KINDS
    }
    for searcher in searchers.values():
        assert searcher.asked == Counter(
            {one: 1 if n < COUNT else query.ROUNDS for kind in KINDS for n, one in enumerate(asked[kind])}
        )
    assert searchers[OURS].order == searchers["peer"].order


def test_the_best_round_counts_for_each_figure() -> None:
    rounds = [query.QueryTiming(1, 5, 9, 10), query.QueryTiming(2, 4, 8, 10), query.QueryTiming(3, 6, 7, 10)]
    assert query.best(rounds) == query.QueryTiming(1, 4, 7, 10)
