"""Frames of compressed bytes."""

from contextlib import suppress

from hypothesis import given
from hypothesis import strategies as st
from zstandard import ZstdError

from engine.packing import compress, decompress


@given(st.binary(max_size=400), st.data())
def test_no_changed_byte_of_a_frame_is_read_as_another_text(content: bytes, data: st.DataObject) -> None:
    """SQLite checks its own pages' heads, not what a row holds. No text at all is no JSON either."""
    frame = bytearray(compress(content))
    frame[data.draw(st.integers(0, len(frame) - 1))] ^= data.draw(st.integers(1, 255))
    with suppress(ZstdError):
        assert decompress(bytes(frame)) in {content, b""}
