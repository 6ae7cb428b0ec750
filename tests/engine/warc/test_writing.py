"""Records as we write them are read by what reads those of others."""

import gzip
from collections import Counter
from pathlib import Path

import pytest
from fastwarc.warc import ArchiveIterator

from engine.warc import read_captures, write_info, write_response
from tests.warcs import AT, URL

HEADERS = [
    ("Content-Type", "text/html"),
    ("Set-Cookie", "id=1"),
    ("ETag", '"é"'),
    ("Transfer-Encoding", "chunked"),
]


def test_a_response_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "x.warc.gz"
    path.write_bytes(write_info(AT, "x") + write_response(URL, AT + 0.25, 200, HEADERS, b"body", "192.0.2.1"))
    [opened] = read_captures(path, Counter())
    capture = opened.capture
    assert (capture.url, capture.at, capture.status, capture.address) == (URL, AT + 0.25, 200, "192.0.2.1")
    assert list(capture.headers) == [("content-type", "text/html"), ("etag", '"é"')]


def test_digests_are_those_that_others_verify(tmp_path: Path) -> None:
    path = tmp_path / "x.warc.gz"
    path.write_bytes(write_response(URL, AT, 404, HEADERS, b"body"))
    [record] = ArchiveIterator(str(path), verify_digests=True)
    assert record.verify_payload_digest()
    assert record.headers["WARC-Date"] == "2026-01-02T03:04:05.000000Z"


@pytest.mark.parametrize("secret", ["Set-Cookie", "set-cookie2", "Cookie", "Authorization"])
def test_no_secrets(secret: str) -> None:
    assert b"hidden" not in gzip.decompress(write_response(URL, AT, 200, [(secret, "hidden")], b""))
