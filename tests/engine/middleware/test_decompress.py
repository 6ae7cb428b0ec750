"""Packed bodies: what browsers take, to a limit, and nothing else."""

import gzip
import tracemalloc
import zlib
from contextlib import suppress
from types import SimpleNamespace
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response

from engine.errors import PageError
from engine.middleware.decompress import DecompressionMiddleware
from engine.middleware.fetching import fetch_from_response
from engine.middleware.journal import JournalMiddleware
from engine.model.page import Claim
from engine.settings import DOWNLOADER_MIDDLEWARES_BASE
from engine.store.journal import JournaledResponse
from engine.workers.content_coding import decompress, measure_decompressed

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
    assert decompress(packed, 10_000) == (BODY, True), why
    assert decompress(packed, len(BODY)) == (BODY, True), "to the octet"
    assert decompress(packed, 100, cut=True) == (BODY[:100], True), "we cut it ourselves"
    for end in range(20, len(packed)):
        assert not decompress(packed[:end], 10_000).is_complete, f"cut after {end} octets: {why}"
        assert not measure_decompressed(packed[:end], 10_000).is_complete, f"cut after {end} octets: {why}"
    assert (
        measure_decompressed(packed, 10_000) == measure_decompressed(packed, len(BODY)) == (len(BODY), True)
    ), why
    assert measure_decompressed(packed, 100, cut=True) == (100, True), why


def test_a_bomb_is_not_unpacked() -> None:
    with pytest.raises(PageError, match="too large"):
        decompress(gzip.compress(bytes(10_000_000)), 1_000_000)
    with pytest.raises(PageError, match="too large"):
        measure_decompressed(gzip.compress(bytes(10_000_000)), 1_000_000)


def test_measuring_a_bomb_keeps_nothing_of_it() -> None:
    packed = gzip.compress(bytes(50_000_000))
    tracemalloc.start()
    try:
        assert measure_decompressed(packed, 52_428_800, cut=True) == (50_000_000, True)
        assert tracemalloc.get_traced_memory()[1] < 2_000_000
    finally:
        tracemalloc.stop()


@given(st.binary(max_size=200))
def test_junk_is_a_page_error_and_nothing_else(junk: bytes) -> None:
    with suppress(PageError):
        assert len(decompress(junk, 1_000).body) <= 1_000
    with suppress(PageError):
        assert measure_decompressed(junk, 1_000).size <= 1_000


def test_what_a_killed_crawl_left_packed_is_known_to_be_packed() -> None:
    """It is noted as it came, before anything looks into it, and goes the same way again."""
    stations = DOWNLOADER_MIDDLEWARES_BASE
    assert (
        stations["engine.middleware.journal.JournalMiddleware"]
        > stations["engine.middleware.decompress.DecompressionMiddleware"]
    ), "answers come from the highest number to the lowest"
    kept: dict[int, JournaledResponse] = {}
    journal = SimpleNamespace(
        note_request=lambda number, url: kept.get(number), note_response=kept.__setitem__
    )
    crawl = SimpleNamespace(run=SimpleNamespace(journal=journal))
    notes = JournalMiddleware(cast(Crawler, SimpleNamespace(spider=SimpleNamespace(crawl=crawl))))
    claim = Claim(7, "http://h.example/", "http://h.example")
    first, again = (
        Request(claim.url, meta={"claim": claim, "started": 0.0, "began": 0.0, "sent": 0, "received": 0})
        for _ in range(2)
    )
    headers = {"Content-Encoding": ["gzip"]}
    answer = Response(claim.url, 200, headers, gzip.compress(BODY), request=first)
    fetches = [
        fetch_from_response(
            DecompressionMiddleware().process_response(first, notes.process_response(first, answer))
        )
    ]
    left = notes.process_request(again)
    assert left
    fetches.append(
        fetch_from_response(
            DecompressionMiddleware().process_response(again, notes.process_response(again, left))
        )
    )
    assert [fetch.unpacked for fetch in fetches] == [len(BODY)] * 2
    assert [decompress(fetch.body, fetch.unpacked, cut=True).body for fetch in fetches] == [BODY] * 2
