"""Which run asks which hosts: buckets, and the machines at which hosts answer."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.frontier.host_share import BUCKETS, HostShare, place_by_address

RUNS = st.sets(st.integers(1, 1_000_000), min_size=1, max_size=12).map(lambda runs: tuple(sorted(runs)))


def owners(runs: tuple[int, ...]) -> dict[int, int]:
    return {bucket: run for run in runs for bucket in HostShare(run, runs).buckets}


@given(runs=RUNS)
def test_every_bucket_is_of_one_run(runs: tuple[int, ...]) -> None:
    shares = [HostShare(run, runs) for run in runs]
    assert sum(len(share.buckets) for share in shares) == BUCKETS
    for share in shares:
        assert [bucket for bucket in range(BUCKETS) if share.includes(bucket)] == list(share.buckets)


@given(runs=RUNS, new=st.integers(1, 1_000_000))
def test_who_comes_takes_some_and_nothing_else_moves(runs: tuple[int, ...], new: int) -> None:
    """And who goes gives them back: the same, read from its end."""
    before, after = owners(runs), owners(tuple(sorted({*runs, new})))
    assert {after[bucket] for bucket in before if after[bucket] != before[bucket]} <= {new}


@pytest.mark.parametrize("count", [2, 4, 16, 64])
def test_shares_are_much_alike(count: int) -> None:
    sizes = Counter(owners(tuple(range(1, count + 1))).values())
    mean = BUCKETS / count
    assert len(sizes) == count
    assert all(mean / 2.5 < size < mean * 2 for size in sizes.values()), sizes


@pytest.mark.parametrize(
    ("one", "other", "same", "why"),
    [
        ("192.0.2.1", "192.0.2.1", True, "one machine"),
        ("192.0.2.1", "192.0.2.2", False, "another"),
        ("2001:db8::1", "2001:db8::ffff", True, "a household has a /64"),
        ("2001:db8::1", "2001:db8:0:1::1", False, "the next"),
    ],
)
def test_hosts_of_one_machine_are_together(one: str, other: str, same: bool, why: str) -> None:
    assert (place_by_address(one) == place_by_address(other)) is same, why
    assert 0 <= place_by_address(one) < BUCKETS
