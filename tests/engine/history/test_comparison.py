"""A round beside the one before."""

from collections import Counter
from pathlib import Path

import pytest

from engine.history.comparison import LEAST_ANSWERS, MAX_NAMED, Comparison, compare_last_rounds
from engine.history.host_counts import HostDelta, add_counts, open_history
from tests.crawling import EPOCH


def delta(answers: int, seconds: float = 0.1, requests: int = 20, **pages: int) -> HostDelta:
    """The counts of a host whose answers took so many seconds each."""
    status = Counter({"200" if answers else "timeout": requests})
    times = {"first_at": EPOCH, "last_at": EPOCH + 60}
    return HostDelta(requests, answers, seconds=answers * seconds, statuses=status, **times, **pages)  # type: ignore[arg-type]


def compared(data: Path, *rounds: dict[str, HostDelta]) -> Comparison:
    with open_history(data) as connection:
        for number, hosts in enumerate(rounds, 1):
            add_counts(connection, number, hosts)
        found = compare_last_rounds(connection)
    assert found
    return found


@pytest.mark.requirement(61)
def test_totals_of_both(tmp_path: Path) -> None:
    found = compared(
        tmp_path, {"a": delta(20, new=20), "b": delta(20, new=5)}, {"a": delta(20, new=1, changed=2, gone=3)}
    )
    assert found.before
    assert (found.before.new, found.before.hosts, found.before.requests) == (25, 2, 40)
    assert (found.after.new, found.after.changed, found.after.gone, found.after.duration) == (1, 2, 3, 60)


def test_the_first_crawl_has_none_before(tmp_path: Path) -> None:
    assert compared(tmp_path, {"a": delta(20)}).before is None
    with open_history(tmp_path / ".") as connection:
        connection.execute("DELETE FROM hosts")
        assert compare_last_rounds(connection) is None


CHANGES: list[tuple[HostDelta, HostDelta | None, str, str]] = [
    (delta(20), delta(0), "lost", "it answered, and does no more"),
    (delta(20), delta(0, requests=1), "lost", "asked once in vain"),
    (delta(0), delta(0), "", "it did not answer before either"),
    (delta(20), None, "", "it was not asked"),
    (delta(20), delta(1), "", "one answer is one"),
    (delta(20, 0.2), delta(20, 0.4), "slower", "twice the time"),
    (delta(20, 0.2), delta(20, 0.39), "", "not twice"),
    (delta(20, 0.01), delta(20, 0.1), "", "ten times, but nobody feels it"),
    (delta(20, 0.2), delta(LEAST_ANSWERS - 1, 2.0), "", "too few answers to tell"),
    (delta(20, 0.4), delta(20, 0.2), "", "faster"),
]


@pytest.mark.requirement(61, 62)
@pytest.mark.parametrize(("before", "after", "change", "why"), CHANGES)
def test_hosts_that_are_slower_or_lost(
    tmp_path: Path, before: HostDelta, after: HostDelta | None, change: str, why: str
) -> None:
    found = compared(
        tmp_path, {"a": before, "b": delta(5)}, {"b": delta(5), **({"a": after} if after else {})}
    )
    assert [one.host for one in found.lost] == ["a"] * (change == "lost"), why
    assert [one.host for one in found.slower] == ["a"] * (change == "slower"), why


def test_many_are_counted_and_the_first_named_with_what_they_answered(tmp_path: Path) -> None:
    hosts = [f"h{number:03}" for number in range(50)]
    found = compared(tmp_path, dict.fromkeys(hosts, delta(20)), dict.fromkeys(hosts, delta(0)))
    assert found.lost_hosts == 50
    assert [one.host for one in found.lost] == hosts[:MAX_NAMED]
    assert found.lost[0].statuses == "timeout ×20"
