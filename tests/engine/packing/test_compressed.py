"""Frames of compressed bytes."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from zstandard import ZstdError

from engine.packing import compress, decompress
from engine.packing.compressed import FRAME, MAX_UNPACKED


@given(st.binary(max_size=400), st.data())
def test_no_changed_byte_of_a_frame_is_read_as_another_text(content: bytes, data: st.DataObject) -> None:
    """SQLite checks its own pages' heads, not what a row holds. No text at all is no JSON either."""
    frame = bytearray(compress(content))
    frame[data.draw(st.integers(0, len(frame) - 1))] ^= data.draw(st.integers(1, 255))
    with suppress(ZstdError):
        assert decompress(bytes(frame)) in {content, b""}


SIZES = [
    (MAX_UNPACKED + 1, "more than anything has that we write"),
    (1 << 40, "memory that no machine has: it is not taken"),
    ((1 << 64) - 3, "the largest that can be written"),
]


@pytest.mark.parametrize(("size", "why"), SIZES, ids=[why for _, why in SIZES])
def test_a_size_that_was_damaged_takes_no_memory(size: int, why: str) -> None:
    """RFC 8878, 3.1.1.1: a frame begins with its unpacked size."""
    frame = FRAME + bytes([0xE4]) + size.to_bytes(8, "little") + bytes([1, 0, 0])
    with pytest.raises(ZstdError, match="too long"):
        decompress(frame)
