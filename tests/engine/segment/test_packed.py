"""Numbers packed in blocks come out as they went in, in few bits; what nobody packed does no harm."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from engine.segment.packed import BLOCK, GROUP, LENGTH, LONGEST, MAX_BITS, PADDING, WORD, PackedIntegers
from engine.segment.packer import Packer

SIZES = [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, GROUP * BLOCK, (GROUP + 3) * BLOCK + 3]
STRETCH = 16  # numbers of one width
WIDTHS = st.integers(0, MAX_BITS)


def opened(*pieces: NDArray[np.int64]) -> PackedIntegers:
    """Packed piece by piece, and read where it lies."""
    packer = Packer()
    words = b"".join([*map(packer.add, pieces), packer.finish()])
    return PackedIntegers(packer.starts(), packer.heads(), np.frombuffer(words, np.uint64), packer.size)


@st.composite
def many_numbers(draw: st.DrawFn) -> NDArray[np.int64]:
    """Up to two groups of blocks of numbers, now short, now long."""
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    widths = draw(st.lists(WIDTHS, max_size=2 * GROUP * BLOCK // STRETCH))
    stretches = [random.integers(0, 1 << width, STRETCH) for width in widths]
    numbers = np.concatenate([np.empty(0, np.int64), *stretches])
    return numbers[draw(st.integers(0, BLOCK)) :]


@pytest.mark.parametrize("width", range(MAX_BITS + 1))
def test_numbers_of_every_width(width: int) -> None:
    largest = (1 << width) - 1
    for size in SIZES:
        numbers = np.linspace(0, largest, size).astype(np.int64)
        numbers[-1:] = largest
        kept = opened(numbers)
        assert kept.between(0, size).tolist() == numbers.tolist(), size
        assert kept.size == size


@settings(max_examples=50)
@given(many_numbers(), st.data())
def test_any_places_in_any_order(numbers: NDArray[np.int64], data: st.DataObject) -> None:
    kept = opened(numbers)
    which = st.lists(st.integers(0, max(len(numbers) - 1, 0)), max_size=50 if len(numbers) else 0)
    places = np.array(data.draw(which), np.int64)
    assert kept.at(places).tolist() == numbers[places].tolist()
    start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(numbers))] * 2)))
    assert kept.between(start, end).tolist() == numbers[start:end].tolist()
    assert kept.at(np.arange(start, end)).tolist() == numbers[start:end].tolist()
    if end < len(numbers):
        assert kept.sum_before(start, end) == (numbers[start:end].sum(), numbers[end])


def test_every_place_alone() -> None:
    """Numbers whose ones are far apart: some words have none of them, some blocks begin with such a word."""
    random = np.random.default_rng(3)
    numbers = np.where(random.random(3 * BLOCK) < 0.1, random.integers(0, 1 << 32, 3 * BLOCK), 0)
    kept = opened(numbers)
    for place, number in enumerate(numbers.tolist()):
        assert kept.at(np.array([place])).tolist() == [number]
        assert kept.between(place, len(numbers)).tolist() == numbers[place:].tolist()


@settings(max_examples=50)
@given(many_numbers(), st.lists(st.integers(0, 1000)))
def test_packed_in_pieces_is_packed_at_once(numbers: NDArray[np.int64], cuts: list[int]) -> None:
    pieces = opened(*np.split(numbers, sorted(min(cut, len(numbers)) for cut in cuts)))
    whole = opened(numbers)
    assert pieces.size == whole.size == len(numbers)
    assert [array.tobytes() for array in pieces.arrays] == [array.tobytes() for array in whole.arrays]


TAKEN: list[tuple[list[int], int, int, str]] = [
    ([0] * 128, 0, 128, "a one for each"),
    ([5] * 128, 3, 128 * 4, "5 + 2**3 is 13, which has the length: a one, and three bits"),
    ([5] * 127 + [8], 3, 128 * 4 + 2, "8 + 2**3 is a bit longer: a zero, a one, and four bits"),
    ([1000] * 127 + [1 << 31], 10, 128 * 11 + 2 * 21, "one that is long does not make others long"),
]


@pytest.mark.parametrize(("numbers", "length", "bits", "why"), TAKEN, ids=[row[-1] for row in TAKEN])
def test_a_block_takes_no_more_than_with_another_length(
    numbers: list[int], length: int, bits: int, why: str
) -> None:
    _, heads, words = opened(np.array(numbers)).arrays
    every = [sum(2 * ((n + (1 << of)).bit_length() - 1) - of + 1 for n in numbers) for of in range(32)]
    assert bits == min(every) == every[length]
    assert heads[0] & LONGEST == length, why
    assert len(words) == bits // WORD + 1 + PADDING


@pytest.mark.parametrize("largest", [1, 63, 64, 65, 127])
def test_as_many_zeros_as_there_can_be(largest: int) -> None:
    """63 of the largest numbers have 32 each; with 64 a longer length takes no more."""
    numbers = np.array([(1 << MAX_BITS) - 1] * largest + [0] * (BLOCK - largest))
    kept = opened(numbers)
    assert kept.between(0, BLOCK).tolist() == numbers.tolist()
    assert kept.arrays[1][0] >> LENGTH == (32 * largest if largest < 64 else largest)


@settings(max_examples=200)
@given(
    many_numbers(), st.integers(0, 2**32), st.sets(st.sampled_from(["starts", "heads", "bits"]), min_size=1)
)
def test_what_nobody_packed_is_wrong_or_out_of_bounds(
    numbers: NDArray[np.int64], seed: int, damaged: set[str]
) -> None:
    """No bytes of a file end the process that reads them, or take it out of the arrays."""
    starts, heads, bits = opened(numbers).arrays
    random = np.random.default_rng(seed)
    starts = random.integers(0, 1 << 64, starts.shape, np.uint64) if "starts" in damaged else starts
    heads = random.integers(0, 1 << 16, heads.shape, np.uint16) if "heads" in damaged else heads
    bits = random.integers(0, 1 << 64, bits.shape, np.uint64) if "bits" in damaged else bits
    kept = PackedIntegers(starts, heads, bits, len(numbers))
    for start in range(0, len(numbers), 50):
        try:
            found = kept.between(start, min(start + 60, len(numbers)))
        except IndexError:
            continue
        assert found.min() >= 0
        assert found.max() < 2 << MAX_BITS


def test_there_is_nothing_behind_the_last_block() -> None:
    with pytest.raises(IndexError):
        opened(np.arange(BLOCK)).at(np.array([BLOCK]))


@pytest.mark.parametrize("number", [-1, 1 << 32, -(1 << 63), (1 << 63) - 1])
def test_a_number_of_more_than_32_bits_is_refused(number: int) -> None:
    for before in (0, BLOCK - 1, BLOCK):
        with pytest.raises(ValueError, match="can be packed"):
            opened(np.array([0] * before + [number], np.int64))
