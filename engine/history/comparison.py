"""Compares a round of visits with the one before: pages new, changed and gone, hosts slower and lost."""

import sqlite3
from collections.abc import Iterator
from typing import NamedTuple

MAX_NAMED = 20  # hosts of each kind that are named
LEAST_ANSWERS = 10  # of a host in both rounds, before its mean says anything
SLOWER, SLOWER_SECONDS = 2.0, 0.1  # how much longer a slower host takes: so many times, and seconds more

_TOTALS = """
SELECT round, min(first_at), max(last_at), count(*), total(requests), total(answers), total(errors),
    total(bytes), total(new), total(changed), total(unchanged), total(gone)
FROM hosts GROUP BY round ORDER BY round DESC LIMIT 2
"""
_BOTH = """
SELECT after.host, before.seconds / max(before.answers, 1), after.seconds / max(after.answers, 1), (
    SELECT group_concat(status || ' ×' || number, ', ') FROM (
        SELECT status, number FROM statuses WHERE round = after.round AND host = after.host
        ORDER BY number DESC, status
    )
)
FROM hosts AS after JOIN hosts AS before ON before.host = after.host AND before.round = :before
WHERE after.round = :after AND {condition}
ORDER BY after.host
"""
_LOST = _BOTH.format(condition="after.requests > 0 AND after.answers = 0 AND before.answers > 0")
_SLOWER = _BOTH.format(
    condition=f"""
    min(after.answers, before.answers) >= {LEAST_ANSWERS}
    AND after.seconds / after.answers >= {SLOWER} * before.seconds / before.answers
    AND after.seconds / after.answers >= {SLOWER_SECONDS} + before.seconds / before.answers
    """
)


class RoundTotals(NamedTuple):
    """What one round did, over all hosts; times are seconds since 1970."""

    number: int
    started_at: float
    ended_at: float  # of the last request
    hosts: int
    requests: int
    answers: int  # to requests for pages
    errors: int
    bytes: int
    new: int  # pages
    changed: int
    unchanged: int
    gone: int

    @property
    def duration(self) -> float:
        """Seconds from the first request to the last."""
        return self.ended_at - self.started_at


class HostChange(NamedTuple):
    """A host that is slower or lost."""

    host: str
    seconds_before: float  # to an answer, on average
    seconds_after: float
    statuses: str  # of this round, the most frequent first


class Comparison(NamedTuple):
    """A round beside the one before; MAX_NAMED hosts are named at most."""

    after: RoundTotals
    before: RoundTotals | None
    slower: tuple[HostChange, ...] = ()
    lost: tuple[HostChange, ...] = ()  # that answered before, and were asked in vain
    slower_hosts: int = 0  # all of them
    lost_hosts: int = 0


def compare_last_rounds(connection: sqlite3.Connection) -> Comparison | None:
    """Compares the last round with the one before it; None where nothing was requested yet."""
    rounds = [_totals(row) for row in connection.execute(_TOTALS)]
    if not rounds:
        return None
    if len(rounds) == 1:
        return Comparison(rounds[0], None)
    numbers = {"after": rounds[0].number, "before": rounds[1].number}
    slower, slower_hosts = _name(connection, _SLOWER, numbers)
    lost, lost_hosts = _name(connection, _LOST, numbers)
    return Comparison(rounds[0], rounds[1], slower, lost, slower_hosts, lost_hosts)


def _totals(row: sqlite3.Row) -> RoundTotals:
    number, started_at, ended_at, *sums = row
    return RoundTotals(number, started_at, ended_at, *map(int, sums))


def _name(
    connection: sqlite3.Connection, query: str, numbers: dict[str, int]
) -> tuple[tuple[HostChange, ...], int]:
    """Names the first hosts of a query, and counts all."""
    named: list[HostChange] = []
    count = 0
    rows: Iterator[sqlite3.Row] = connection.execute(query, numbers)
    for count, row in enumerate(rows, 1):
        if count <= MAX_NAMED:
            named.append(HostChange(*row))
    return tuple(named), count
