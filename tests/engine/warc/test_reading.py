"""Files of other programs, ordinary, broken and hostile: which captures are read of each."""

import gzip
import os
from collections import Counter
from pathlib import Path

import pytest

from engine.errors import EngineError
from engine.warc import DAMAGED, TOO_LARGE, read_captures
from tests.memory import measure_growth
from tests.warcs import AT, LIMIT, URL, info, pack, read, record, response

ONE, TWO, THREE = (record(f"{URL}{number}", response(os.urandom(900))) for number in range(3))

PAGE = len(b"<title>A</title><p>page")
ALL = ["0 200 900", "1 200 900", "2 200 900"]
ORDINARY = [
    (pack(info(), ONE, TWO, THREE), ALL, "a member for each record"),
    (info() + ONE + TWO + THREE, ALL, "not packed"),
    (gzip.compress(info() + ONE + TWO + THREE), ALL, "packed as a whole"),
    (pack(ONE, TWO, THREE), ALL, "no warcinfo"),
    (pack(record(version="WARC/1.1")), [f" 200 {PAGE}"], "version 1.1"),
    (pack(record(f"<{URL}>")), [f" 200 {PAGE}"], "brackets round the URL, as wget writes them"),
    (
        pack(record(date="2026-01-02T03:04:05.678901Z")),
        [f" 200 {PAGE}"],
        "a date with microseconds, as 1.1 may",
    ),
    (pack(record(date="2026")), [f" 200 {PAGE}"], "a year alone, as 1.1 may"),
    (pack(record(kind="request"), record()), [f" 200 {PAGE}"], "requests beside responses"),
    (
        pack(record(), record(kind="metadata", Content_Type="text/x")),
        [f" 200 {PAGE}"],
        "metadata beside them",
    ),
    (
        pack(record(block=b"x" * 9, kind="resource", Content_Type="text/plain")),
        [" 200 9"],
        "a file, no answer",
    ),
    (pack(record("urn:pageinfo:x", kind="resource"), ONE), ALL[:1], "a resource of a browser's crawler"),
    (
        pack(record("dns:a.test", b"1.2.3.4", "response", Content_Type="text/dns"), ONE),
        ALL[:1],
        "DNS, as Heritrix",
    ),
    (pack(record(block=b"", kind="revisit")), [" 200 0"], "a revisit without headers"),
    (
        pack(record(block=response(b"", "304 Not Modified"), kind="revisit")),
        [" 304 0"],
        "a revisit with headers",
    ),
    (pack(record(block=response(b"", "404 Not Found"))), [" 404 0"], "a page that is not there"),
    (pack(record(block=b"HTTP/2 200\r\nA: b\r\n\r\nhello")), [" 200 5"], "HTTP/2, as browsers write it"),
    (pack(record(block=b"HTTP/1.0 200 OK\nA: b\n\nhello")), [" 200 5"], "line feeds alone in the answer"),
    (
        pack(record(block=response(b"x" * (LIMIT + 9)))),
        [f" 200 {LIMIT + 1}"],
        "a body over the limit: one more",
    ),
    (pack(record(Content_Type="")), [f" 200 {PAGE}"], "no media type of the record"),
    (pack(record("ftp://a.test/x"), ONE), ALL[:1], "FTP"),
]


@pytest.mark.parametrize(("octets", "expected", "why"), ORDINARY, ids=[why for *_, why in ORDINARY])
def test_ordinary_files(tmp_path: Path, octets: bytes, expected: list[str], why: str) -> None:
    (tmp_path / "x.warc.gz").write_bytes(octets)
    found, counts = read(tmp_path / "x.warc.gz")
    assert (found, counts[DAMAGED], counts[TOO_LARGE]) == (expected, 0, 0), why


def test_a_capture(tmp_path: Path) -> None:
    """What is known of a capture; a revisit says whose body it has."""
    block = response(etag='"x"', Set_Cookie="secret")
    refers = {"WARC_Refers_To_Target_URI": f"<{URL}old>", "WARC_Payload_Digest": "sha1:AAA"}
    (tmp_path / "x.warc.gz").write_bytes(
        pack(info(), record(block=block, WARC_IP_Address="192.0.2.1"), record(kind="revisit", more=refers))
    )
    first, second = [one.capture for one in read_captures(tmp_path / "x.warc.gz", Counter())]
    assert (first.number, first.at, first.address, first.refers_to) == (1, AT, "192.0.2.1", URL)
    assert (first.header("etag"), first.header("content-type")) == ('"x"', "text/html; charset=utf-8")
    assert (second.kind, second.refers_to, second.digest) == ("revisit", f"{URL}old", "sha1:AAA")


def damage(packed: bytes, at: int) -> bytes:
    """Overwrites some bytes."""
    return packed[:at] + b"\xff" * 40 + packed[at + 40 :]


LEN = len(pack(ONE))
BROKEN = [
    (damage(pack(ONE, TWO, THREE), LEN + 300), [ALL[0], ALL[2]], 1, "a damaged member between two"),
    (damage(pack(ONE, TWO, THREE), 0), ALL[1:], 1, "a damaged beginning"),
    (pack(ONE, TWO)[:-300], [ALL[0], "1 200 damaged"], 0, "a file that was cut in a body"),
    (pack(ONE, TWO)[: LEN + 30], ALL[:1], 0, "a file that was cut in a header"),
    ((ONE + TWO)[:-300], [ALL[0], "1 200 damaged"], 0, "one that is not packed"),
    (gzip.compress(ONE + TWO)[:-300], [ALL[0], "1 200 damaged"], 0, "one that is packed as a whole"),
    (ONE + b"garbage\r\n" * 9 + TWO, ALL[:2], 1, "garbage between records"),
    (pack(ONE) + b"garbage" * 9 + pack(TWO), ALL[:2], 1, "garbage between members"),
    (pack(record(length=50), TWO), [" 200 0", ALL[1]], 1, "a block that is longer than it says"),
    (pack(record(date="yesterday"), TWO), [ALL[1]], 1, "no date"),
    (pack(record(block=b"\x00garbage"), TWO), [ALL[1]], 1, "no HTTP"),
    (pack(record(block=b""), TWO), [ALL[1]], 1, "an empty response"),
]


@pytest.mark.parametrize(("octets", "expected", "damaged", "why"), BROKEN, ids=[why for *_, why in BROKEN])
def test_broken_files(tmp_path: Path, octets: bytes, expected: list[str], damaged: int, why: str) -> None:
    (tmp_path / "x.warc.gz").write_bytes(octets)
    found, counts = read(tmp_path / "x.warc.gz")
    assert (found, counts[DAMAGED]) == (expected, damaged), why


HUGE = 10**15
SWALLOWING = b"\x1f\x8b\x08\x04" + b"\0" * 6 + b"\xff\xff"  # with 65,535 bytes of extra field: RFC 1952, 2.3
PACKED = pack(TWO)
CARRIER, PACKED_CARRIER = (record(block=response(body)) for body in (TWO, PACKED))
HOSTILE = [
    (pack(record(length=HUGE), ONE), ALL[:1], {TOO_LARGE: 1}, "a petabyte, it says"),
    (record(length=HUGE) + ONE, ALL[:1], {TOO_LARGE: 1}, "the same, not packed"),
    (pack(record(X="a" * 10**7), ONE), ALL[:1], {DAMAGED: 1}, "a header without end"),
    (
        pack(record(more={f"X_{n}": "a" * 99 for n in range(9_999)}), ONE),
        ALL[:1],
        {DAMAGED: 1},
        "ten thousand headers",
    ),
    (pack(record(block=response(X="a" * 10**7)), ONE), ALL[:1], {DAMAGED: 1}, "an HTTP header without end"),
    (
        pack(record(block=response(bytes(10**8))), ONE),
        [f" 200 {LIMIT + 1}", ALL[0]],
        {},
        "a bomb: 100 MB in 100 kB",
    ),
    (pack(ONE) + b"\x1f\x8b\x08" * 50_000 + pack(TWO), ALL[:2], {DAMAGED: 1}, "50,000 beginnings of nothing"),
    (pack(ONE) + SWALLOWING + pack(TWO), ALL[:2], {DAMAGED: 1}, "a head that swallows what follows"),
    (SWALLOWING + pack(TWO), ALL[1:2], {DAMAGED: 1}, "the same, at the beginning"),
    (gzip.compress(CARRIER, 0), [f" 200 {len(TWO)}"], {}, "a page that is a record"),
    (gzip.compress(PACKED_CARRIER, 0), [f" 200 {len(PACKED)}"], {}, "one that is a packed record"),
    (
        gzip.compress(ONE + PACKED_CARRIER, 0),
        [ALL[0], f" 200 {len(PACKED)}"],
        {},
        "the same in a file that is packed as a whole",
    ),
    (pack(record(length=-5), ONE), ALL[:1], {DAMAGED: 1}, "less than nothing"),
]


@pytest.mark.parametrize(("octets", "expected", "counted", "why"), HOSTILE, ids=[why for *_, why in HOSTILE])
def test_hostile_files(
    tmp_path: Path, octets: bytes, expected: list[str], counted: dict[str, int], why: str
) -> None:
    (tmp_path / "x.warc.gz").write_bytes(octets)
    found, counts = read(tmp_path / "x.warc.gz")
    assert found == expected, why
    assert {kind: counts[kind] for kind in (DAMAGED, TOO_LARGE) if counts[kind]} == counted, why


def test_hostile_files_take_no_memory(tmp_path: Path) -> None:
    names = [f"{number}.warc.gz" for number in range(len(HOSTILE))]
    for name, (octets, *_) in zip(names, HOSTILE, strict=True):
        (tmp_path / name).write_bytes(octets)
    (tmp_path / "usual.warc.gz").write_bytes(pack(ONE, TWO, THREE))
    grown = measure_growth(read, tmp_path / "usual.warc.gz", [tmp_path / name for name in names])
    assert max(grown) < 50_000, [(kib, why) for kib, (*_, why) in zip(grown, HOSTILE, strict=True)]


NONE = [
    (b"", "is no WARC file", "an empty file"),
    (b"<html>" * 99, "is no WARC file", "a page"),
    (gzip.compress(b"<html>" * 99), "is no WARC file", "a packed page"),
    (b"PK\x03\x04" + bytes(99), "is no WARC file", "a .wacz, which is a zip file of WARC files"),
    (pack(info(), record(kind="conversion")), "only texts (WET)", "Common Crawl's texts"),
    (pack(info(), record(kind="metadata")), "only metadata (WAT)", "Common Crawl's metadata"),
]


@pytest.mark.parametrize(("octets", "says", "why"), NONE, ids=[why for *_, why in NONE])
def test_what_is_no_archive_of_responses(tmp_path: Path, octets: bytes, says: str, why: str) -> None:
    (tmp_path / "x.warc.gz").write_bytes(octets)
    with pytest.raises(EngineError, match=f"x.warc.gz.*{says.replace('(', '.').replace(')', '.')}"):
        read(tmp_path / "x.warc.gz")
