"""Files packed by Zstandard, with and without dictionaries; broken and hostile ones."""

import os
from pathlib import Path

import pytest
import zstandard

from engine.errors import EngineError
from engine.warc import DAMAGED, TOO_LARGE
from engine.warc.zstd import MAX_DICTIONARY, read_dictionary
from tests.engine.warc.test_reading import ALL, ONE, PAGE, THREE, TWO, damage
from tests.memory import measure_growth
from tests.warcs import LIMIT, URL, info, pack_zstd, read, record, response, train

PAGES = [record(f"{URL}{n}", response(f"<title>{n}</title><p>heron {n}".encode() * 9)) for n in range(99)]
DICTIONARY = train(*PAGES)
WITH = pack_zstd(info(), ONE, TWO, THREE, dictionary=DICTIONARY)
WHOLE = zstandard.ZstdCompressor().compress(info() + ONE + TWO + THREE)
HEAD = 8 + len(DICTIONARY)
LEN = len(pack_zstd(ONE, dictionary=DICTIONARY)) - HEAD
MAGIC = b"\x5d\x2a\x4d\x18"

FILES = [
    (pack_zstd(info(), ONE, TWO, THREE), ALL, {}, "a frame for each record"),
    (WITH, ALL, {}, "a dictionary before them, as Archive Team has it"),
    (pack_zstd(ONE, TWO, THREE, dictionary=DICTIONARY, packed=True), ALL, {}, "one that is packed, too"),
    (WHOLE, ALL, {}, "packed as a whole"),
    (pack_zstd(record()), [f" 200 {PAGE}"], {}, "one record"),
    (WITH[:-300], ALL[:2], {DAMAGED: 1}, "cut in a block, which is unpacked as a whole"),
    (
        damage(pack_zstd(ONE, TWO, THREE, dictionary=DICTIONARY), HEAD + LEN),
        [ALL[0], ALL[2]],
        {DAMAGED: 1},
        "a damaged frame between two",
    ),
    (
        damage(pack_zstd(ONE, TWO, THREE), 0),
        [],
        None,
        "a damaged beginning, of which nobody knows what it is",
    ),
    (
        pack_zstd(ONE) + b"garbage" * 9 + pack_zstd(TWO),
        ALL[:2],
        {DAMAGED: 1},
        "garbage between frames",
    ),
    (pack_zstd(record(length=10**15), ONE), ALL[:1], {TOO_LARGE: 1}, "a petabyte, it says"),
    (
        pack_zstd(record(block=response(bytes(10**8))), ONE),
        [f" 200 {LIMIT + 1}", ALL[0]],
        {},
        "a bomb: 100 MB in 10 kB",
    ),
    (
        pack_zstd(ONE) + b"\x28\xb5\x2f\xfd" * 9_999 + pack_zstd(TWO),
        ALL[:2],
        {DAMAGED: 1},
        "9,999 beginnings",
    ),
]


@pytest.mark.parametrize(("octets", "expected", "counted", "why"), FILES, ids=[why for *_, why in FILES])
def test_files(
    tmp_path: Path, octets: bytes, expected: list[str], counted: dict[str, int] | None, why: str
) -> None:
    path = tmp_path / "x.warc.zst"
    path.write_bytes(octets)
    if counted is None:
        with pytest.raises(EngineError, match=r"no WARC file: name one .* or \.warc\.zst"):
            read(path)
        return
    found, counts = read(path)
    assert found == expected, why
    assert {kind: counts[kind] for kind in (DAMAGED, TOO_LARGE) if counts[kind]} == counted, why


def test_hostile_files_take_no_memory(tmp_path: Path) -> None:
    read_by = [(octets, why) for octets, _, counted, why in FILES if counted is not None]
    paths = [tmp_path / f"{number}.warc.zst" for number in range(len(read_by))]
    for path, (octets, _) in zip(paths, read_by, strict=True):
        path.write_bytes(octets)
    grown = measure_growth(read, paths[0], paths)
    assert max(grown) < 50_000, [(kib, why) for kib, (_, why) in zip(grown, read_by, strict=True)]


BOMB = zstandard.ZstdCompressor().compress(bytes(100 * MAX_DICTIONARY))
DICTIONARIES = [
    (MAGIC + len(BOMB).to_bytes(4, "little") + BOMB, "more than", "a bomb"),
    (MAGIC + b"\xff" * 4 + os.urandom(MAX_DICTIONARY + 9), "more than", "four gigabytes, it says"),
    (MAGIC + b"\x67\0\0\0" + b"\x28\xb5\x2f\xfd" + b"\xff" * 99, "damaged dictionary", "nothing unpacks it"),
    (MAGIC, "no WARC file", "a file that was cut in it"),
    (MAGIC + b"\x09\0\0\0" + b"x" * 9, "no WARC file", "nothing behind it"),
]


@pytest.mark.parametrize(("octets", "says", "why"), DICTIONARIES, ids=[why for *_, why in DICTIONARIES])
def test_dictionaries_that_are_none(tmp_path: Path, octets: bytes, says: str, why: str) -> None:
    path = tmp_path / "x.warc.zst"
    path.write_bytes(octets)
    with pytest.raises(EngineError, match=says):
        read(path)


def test_a_dictionary_is_read_packed_or_not(tmp_path: Path) -> None:
    path = tmp_path / "x.warc.zst"
    for packed in (False, True):
        path.write_bytes(pack_zstd(ONE, dictionary=DICTIONARY, packed=packed))
        assert read_dictionary(path) == DICTIONARY
    path.write_bytes(pack_zstd(ONE))
    assert read_dictionary(path) == b""
