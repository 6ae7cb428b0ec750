"""Packed bodies: what browsers take, to a limit, and nothing else."""

import gzip
import zlib
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import PageError
from engine.middleware.decompress import unpack

BODY = b"<p>some text</p>" * 100
RAW = zlib.compressobj(wbits=-zlib.MAX_WBITS)


@pytest.mark.parametrize(
    ("packed", "why"),
    [
        (gzip.compress(BODY, mtime=0), "gzip"),
        (zlib.compress(BODY), "deflate with zlib's frame (RFC 9110, 8.4.1.2)"),
        (RAW.compress(BODY) + RAW.flush(), "deflate without it, as some servers send it"),
    ],
)
def test_codings(packed: bytes, why: str) -> None:
    assert unpack(packed, 10_000) == (BODY, True), why
    assert unpack(packed, len(BODY)) == (BODY, True), "to the octet"
    assert unpack(packed, 100, cut=True) == (BODY[:100], True), "we cut it ourselves"
    for end in range(20, len(packed)):
        assert not unpack(packed[:end], 10_000).whole, f"cut after {end} octets: {why}"


def test_a_bomb_is_not_unpacked() -> None:
    with pytest.raises(PageError, match="too large"):
        unpack(gzip.compress(bytes(10_000_000)), 1_000_000)


@given(st.binary(max_size=200))
def test_junk_is_a_page_error_and_nothing_else(junk: bytes) -> None:
    with suppress(PageError):
        assert len(unpack(junk, 1_000).body) <= 1_000
