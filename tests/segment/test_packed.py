"""Numbers packed in blocks come out as they went in: all, some, one by one, and packed in pieces."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from engine.segment.packed import BLOCK, STRIP, Packed, Packer, packed

SIZES = [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 5 * BLOCK, 5 * BLOCK + 3]
WIDTHS = st.integers(0, 32)


def opened(numbers: NDArray[np.int64]) -> Packed:
    """Packed in one piece, and read where it lies."""
    blocks = packed(numbers)
    bits = np.frombuffer(blocks.bits.tobytes() + bytes(8), np.uint8)
    return Packed(blocks.starts, blocks.widths, bits, len(numbers))


@st.composite
def many_numbers(draw: st.DrawFn) -> NDArray[np.int64]:
    """Up to some blocks of numbers, each strip of a width of its own."""
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    widths = draw(st.lists(WIDTHS, max_size=30))
    strips = [random.integers(0, 1 << width, STRIP) for width in widths]
    numbers = np.concatenate([np.empty(0, np.int64), *strips])
    return numbers[draw(st.integers(0, BLOCK)) :]


@pytest.mark.parametrize("width", range(33))
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


def test_many_numbers() -> None:
    """More than are unpacked at a time."""
    numbers = np.random.default_rng(2).integers(0, 1 << np.arange(5_000).repeat(STRIP) % 32)
    kept = opened(numbers)
    for start, end in ((0, len(numbers)), (1, len(numbers) - 1), (16_383, 16_385), (20_000, 50_000), (9, 9)):
        assert np.array_equal(kept.between(start, end), numbers[start:end])


@settings(max_examples=50)
@given(many_numbers(), st.lists(st.integers(0, 1000)))
def test_packed_in_pieces_is_packed_at_once(numbers: NDArray[np.int64], cuts: list[int]) -> None:
    packer = Packer()
    pieces = np.split(numbers, sorted(min(cut, len(numbers)) for cut in cuts))
    words = b"".join([*map(packer.add, pieces), packer.finish()])
    whole = packed(numbers)
    assert packer.size == len(numbers)
    assert packer.starts().tolist() == whole.starts.tolist()
    assert packer.widths().tolist() == whole.widths.tolist()
    assert words == whole.bits.tobytes() + bytes(8)


def test_a_strip_takes_as_many_bits_as_its_largest_number() -> None:
    numbers = np.concatenate([np.full(BLOCK, 5), np.zeros(BLOCK - 1), [256], np.ones(1)]).astype(np.int64)
    blocks = packed(numbers)
    assert blocks.starts.tolist() == [0, 3 * 8, 3 * 8 + 9]
    assert blocks.widths.tolist() == [0x0303_0303_0303_0303, 9 << 56, 1]
    assert blocks.bits.nbytes == (3 * 8 + 9 + 1) * STRIP // 8


@pytest.mark.parametrize("number", [-1, 1 << 32, -(1 << 63), (1 << 63) - 1])
def test_a_number_of_more_than_32_bits_is_refused(number: int) -> None:
    for before in (0, STRIP - 1, BLOCK):
        with pytest.raises(ValueError, match="can be packed"):
            packed(np.array([0] * before + [number], np.int64))
