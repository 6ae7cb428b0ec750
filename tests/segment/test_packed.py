"""Numbers packed in blocks come out as they went in: all, some, one by one, and packed in pieces."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from engine.segment.packed import BLOCK, MAX_BITS, Packed, Packer, packed

SIZES = [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 5 * BLOCK, 5 * BLOCK + 3]
WIDTHS = st.integers(0, MAX_BITS)


def opened(numbers: NDArray[np.int64]) -> Packed:
    """Packed in one piece, and read where it lies."""
    blocks = packed(numbers)
    bits = np.frombuffer(blocks.words.tobytes() + bytes(8), np.uint8)
    return Packed(blocks.starts, bits, len(numbers))


@st.composite
def many_numbers(draw: st.DrawFn) -> NDArray[np.int64]:
    """Up to some blocks of numbers, each block of a width of its own."""
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    widths = draw(st.lists(WIDTHS, max_size=6))
    blocks = [random.integers(0, 1 << width, BLOCK) for width in widths]
    numbers = np.concatenate([np.empty(0, np.int64), *blocks])
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


@given(many_numbers(), st.data())
def test_any_places_in_any_order(numbers: NDArray[np.int64], data: st.DataObject) -> None:
    kept = opened(numbers)
    which = st.lists(st.integers(0, max(len(numbers) - 1, 0)), max_size=50 if len(numbers) else 0)
    places = np.array(data.draw(which), np.int64)
    assert kept.at(places).tolist() == numbers[places].tolist()
    start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(numbers))] * 2)))
    assert kept.between(start, end).tolist() == numbers[start:end].tolist()


@given(many_numbers(), st.integers(1, 3 * BLOCK))
def test_chunks_are_all_of_them(numbers: NDArray[np.int64], size: int) -> None:
    chunks = list(opened(numbers).chunks(size))
    assert all(0 < len(chunk) <= size for chunk in chunks)
    assert np.concatenate([np.empty(0, np.int64), *chunks]).tolist() == numbers.tolist()


@given(many_numbers(), st.lists(st.integers(0, 1000)))
def test_packed_in_pieces_is_packed_at_once(numbers: NDArray[np.int64], cuts: list[int]) -> None:
    packer = Packer()
    pieces = np.split(numbers, sorted(min(cut, len(numbers)) for cut in cuts))
    words = b"".join([*map(packer.add, pieces), packer.finish()])
    whole = packed(numbers)
    assert packer.size == len(numbers)
    assert packer.starts().tolist() == whole.starts.tolist()
    assert words == whole.words.tobytes() + bytes(8)


def test_a_block_takes_as_many_bits_as_its_largest_number() -> None:
    numbers = np.concatenate([np.full(BLOCK, 5), np.zeros(BLOCK), np.full(BLOCK, 256)]).astype(np.int64)
    assert packed(numbers).starts.tolist() == [0, 3, 3, 3 + 9]
    assert packed(numbers).words.nbytes == (3 + 9) * BLOCK // 8
