"""Records as we write them are read by what reads those of others."""

import gzip
from collections import Counter
from pathlib import Path

import pytest
from fastwarc.warc import ArchiveIterator

from engine.warc import (
    NAMES_DUPLICATES,
    name_duplicate,
    names_duplicates,
    read_captures,
    write_info,
    write_response,
)
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


def test_a_copy_says_whose_it_is(tmp_path: Path) -> None:
    """It is the same record but for that."""
    path, response = tmp_path / "x.warc.gz", write_response(URL, AT, 200, HEADERS, b"body")
    path.write_bytes(name_duplicate(response, f"{URL}first") + response)
    named, unnamed = (opened.capture for opened in read_captures(path, Counter()))
    assert (named.duplicate_of, unnamed.duplicate_of) == (f"{URL}first", "")
    assert (named.url, named.headers, named.digest) == (unnamed.url, unnamed.headers, unnamed.digest)
    records = ArchiveIterator(str(path), parse_http=False, verify_digests=True)
    assert all(record.verify_block_digest() for record in records)


NAMING, OTHER = write_info(AT, "x", NAMES_DUPLICATES), write_info(AT, "x")
FIRST = [
    (NAMING, True, "it says so"),
    (OTHER, False, "it does not"),
    (OTHER + NAMING, False, "two files in one: of the first that is not said"),
    (write_response(URL, AT, 200, [], NAMES_DUPLICATES.encode()), False, "a page that says so is a page"),
    (NAMING[:40], False, "cut short"),
    (b"<html>", False, "no archive"),
    (b"", False, "nothing"),
]


# Records have random ids, which would be in the tests' names.
@pytest.mark.parametrize(("octets", "expected", "why"), FIRST, ids=[why for *_, why in FIRST])
def test_that_copies_are_named(tmp_path: Path, octets: bytes, expected: bool, why: str) -> None:
    path = tmp_path / "x.warc.gz"
    path.write_bytes(octets)
    assert names_duplicates(path) is expected, why


@pytest.mark.parametrize("secret", ["Set-Cookie", "set-cookie2", "Cookie", "Authorization"])
def test_no_secrets(secret: str) -> None:
    assert b"hidden" not in gzip.decompress(write_response(URL, AT, 200, [(secret, "hidden")], b""))
