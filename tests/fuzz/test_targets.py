"""The laws of the fuzzers on their seeds and on mutations; a finding becomes a row of its table."""

import random
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz.laws import finding
from tests.fuzz.targets import TARGETS

NAMES = sorted(TARGETS)
MUTATIONS = 60  # of the seeds of each target


def mutated(seeds: Sequence[bytes], chance: random.Random) -> bytes:
    """A seed with some octets changed, doubled, cut out, or another seed in its middle."""
    data, other = bytearray(chance.choice(seeds)), chance.choice(seeds)
    for _ in range(chance.randint(1, 8)):
        at, to = (chance.randint(0, len(data)) for _ in range(2))
        way = chance.randrange(4)
        if way == 0 and data:
            data[at - 1] = chance.randrange(256)
        elif way == 1:
            data[at:at] = data[min(at, to) : max(at, to)] * chance.choice((1, 2, 30))
        elif way == 2:
            del data[at : at + chance.randint(0, 9)]
        else:
            data[at:at] = other[: to + 1]
    return bytes(data[:20_000])


@pytest.mark.parametrize("name", NAMES)
def test_seeds_and_their_mutations(name: str) -> None:
    target, chance = TARGETS[name], random.Random(name)
    seeds = target.seeds()
    finding(target, seeds[0])  # loads and compiles
    for data in (b"", *seeds, *(mutated(seeds, chance) for _ in range(MUTATIONS))):
        assert finding(target, data) is None


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=25)
@given(data=st.binary(max_size=200))
def test_any_octets(name: str, data: bytes) -> None:
    assert finding(TARGETS[name], data) is None
