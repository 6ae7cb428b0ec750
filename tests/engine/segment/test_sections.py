"""A file that is not what was written is found out when it is opened or checked."""

import os
import struct
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from zlib import crc32

import numpy as np
import pytest
from numpy.typing import NDArray
from zstandard import ZstdCompressor

from engine.errors import DamagedError
from engine.segment import folder
from engine.segment.codec import ArraySegment
from engine.segment.dictionary import MAX_BYTES, Dictionary, DictionaryFile
from engine.segment.merge import MergeSource, merge
from engine.segment.sections import MAGIC, Sections, SectionsFile, read_mark
from engine.segment.segment import Segment
from tests.engine.segment.plain import Document, as_segment, holds, some_documents, terms_of
from tests.memory import measure_growth

TAIL = struct.Struct("<QI8s")  # octets of the directory, its CRC-32, magic


@pytest.fixture
def documents() -> list[Document]:
    return some_documents(1, 3, 10)


def test_every_byte_counts(documents: list[Document], tmp_path: Path) -> None:
    """A byte that may be anything is one between the arrays: the answers stay what they are."""
    path = tmp_path / "segment"
    as_segment(path, documents)
    whole, missed = path.read_bytes(), []
    with path.open("r+b", buffering=0) as file:
        for at, byte in enumerate(whole):
            os.pwrite(file.fileno(), bytes((byte ^ (0x10 + at % 15),)), at)
            try:
                Segment(path).check()
            except DamagedError:
                pass
            else:
                missed.append(at)
                if len(missed) % 50 == 1:
                    holds(Segment(path), documents)
            os.pwrite(file.fileno(), bytes((byte,)), at)
    assert {whole[at] for at in missed if at >= len(MAGIC)} == {0}
    assert len(missed) < len(whole) / 2


def test_every_end_counts(documents: list[Document], tmp_path: Path) -> None:
    path = tmp_path / "segment"
    as_segment(path, documents)
    whole = path.read_bytes()
    for size in reversed(range(len(whole))):
        os.truncate(path, size)
        with pytest.raises(DamagedError):
            Segment(path)
    path.write_bytes(whole + b"x")
    with pytest.raises(DamagedError):
        Segment(path)
    path.unlink()
    with pytest.raises(FileNotFoundError):
        Segment(path)


def test_what_is_damaged_is_not_merged(documents: list[Document], tmp_path: Path) -> None:
    """The checksums of a merged file would say that all is well."""
    segment = as_segment(tmp_path / "segment", documents)
    whole = bytearray((tmp_path / "segment").read_bytes())
    whole[whole.index(b"http://")] ^= 1
    (tmp_path / "segment").write_bytes(whole)
    with pytest.raises(DamagedError):
        merge(tmp_path / "merged", [MergeSource(segment, np.ones(3, np.bool_))])
    assert [path.name for path in tmp_path.iterdir()] == ["segment"]


BESIDE: list[tuple[str, Callable[[ArraySegment, Path], NDArray[np.generic]]]] = [
    ("deleted", ArraySegment.read_deletions),
    ("votes", ArraySegment.read_votes),
]


@pytest.mark.parametrize(("name", "opened"), BESIDE, ids=[name for name, _ in BESIDE])
def test_files_beside_a_segment_are_checked_when_they_are_opened(
    name: str, opened: Callable[[ArraySegment, Path], NDArray[np.generic]], tmp_path: Path
) -> None:
    segment = ArraySegment(folder.NAME, 9, deleted=1, votes=1)
    path = tmp_path / segment.file(name)
    values = np.packbits(np.arange(9) % 2 == 0) if name == "deleted" else np.arange(9, dtype=np.float32)
    folder.write_array_file(tmp_path, path.name, name, values)
    assert opened(segment, tmp_path).tolist() == [at % 2 == 0 if name == "deleted" else at for at in range(9)]
    whole = bytearray(path.read_bytes())
    whole[whole.index(values.tobytes())] ^= 1
    path.write_bytes(whole)
    with pytest.raises(DamagedError):
        opened(segment, tmp_path)


@pytest.mark.parametrize(
    ("directory", "why"),
    [
        (
            b"",
            "nothing, of which the checksum is 0: found by fuzzing, a file of zeros but for its last octets",
        ),
        (b"{", "half of it"),
        (b"\xff", "no text"),
        (b"[]", "no object"),
        (b"{}", "an object of something else"),
        (b'{"about": {}}', "no arrays"),
    ],
)
def test_directories_that_nobody_wrote(directory: bytes, why: str, tmp_path: Path) -> None:
    """The checksum is right, so it was made by somebody, or is an accident of zeros."""
    end = TAIL.pack(len(directory), crc32(directory), MAGIC)
    tmp_path.joinpath("segment").write_bytes(bytes(64) + directory + end)
    with pytest.raises(DamagedError):
        Sections(tmp_path / "segment")


def test_another_whole_file_in_its_place_is_damage(tmp_path: Path) -> None:
    """As where a backup of one file is put back: the table of contents knows which one belongs to it."""
    for name, value in (("one", 1), ("other", 2)):
        file = SectionsFile(tmp_path / name)
        file.add("numbers", np.full(9, value))
        file.finish({"value": value})
    mark = read_mark(tmp_path / "one")
    assert Sections(tmp_path / "one", mark).about == {"value": 1}
    assert Sections(tmp_path / "other").about == {"value": 2}
    with pytest.raises(DamagedError):
        Sections(tmp_path / "other", mark)


def check_file(path: Path) -> None:
    Sections(path).check()


def check_files(folder: Path) -> None:
    """As a merge does, which keeps them open."""
    opened = [Sections(path) for path in sorted(folder.iterdir())]
    for sections in opened:
        sections.check()


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux tells by /proc")
def test_a_check_keeps_little_of_a_large_file_in_memory(tmp_path: Path) -> None:
    """A merge checks all that it reads first: the memory would be that of the whole index."""
    for name, megabytes in (("small", 1), ("large", 128)):
        file = SectionsFile(tmp_path / name)
        file.add("numbers", np.ones(megabytes << 20, np.uint8))
        file.finish({})
    [grown] = measure_growth(check_file, tmp_path / "small", [tmp_path / "large"])
    assert grown < 64 << 10


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux tells by /proc")
def test_checks_keep_little_of_many_files_in_memory(tmp_path: Path) -> None:
    for name, number in (("few", 1), ("many", 12)):
        (tmp_path / name).mkdir()
        for at in range(number):
            file = SectionsFile(tmp_path / name / str(at))
            file.add("numbers", np.ones(12 << 20, np.uint8))
            file.finish({})
    [grown] = measure_growth(check_files, tmp_path / "few", [tmp_path / "many"])
    assert grown < 64 << 10


BLOCKS: list[tuple[bytes, str]] = [
    (b"", "no bytes"),
    (b"no frame at all", "no frame"),
    (ZstdCompressor().compress(b"abc")[:-2], "half a frame"),
    (ZstdCompressor().compress(b""), "no term"),
    (ZstdCompressor().compress(bytes(MAX_BYTES + 1)), "more than a block may have"),
    (ZstdCompressor().compress(bytes(1 << 28)), "a bomb: 256 MB in 9 kB"),
    (ZstdCompressor(write_content_size=False).compress(bytes(1 << 28)), "a bomb that does not say its size"),
]


@pytest.mark.parametrize(("block", "why"), BLOCKS, ids=[why for _, why in BLOCKS])
def test_blocks_of_a_dictionary_that_nobody_packed(block: bytes, why: str, tmp_path: Path) -> None:
    """The checksums are right: it was made by somebody."""
    file = SectionsFile(tmp_path / "terms")
    file.stream("terms", "|u1", [block])
    file.add("terms.starts", np.array([0, len(block)], np.uint64))
    file.stream("terms.heads", "|u1", [b"a"])
    file.add("terms.first", np.zeros(1, np.uint64))
    file.add("counts", np.zeros(5, np.uint64))
    file.add("counts.starts", np.zeros(1, np.uint64))
    file.add("counts.heads", np.zeros(1, np.uint16))
    file.finish({"terms": 1})
    with pytest.raises(DamagedError):
        Dictionary(Sections(tmp_path / "terms")).find(b"a")


def test_terms_that_could_not_be_read_are_not_written(tmp_path: Path) -> None:
    file, made = SectionsFile(tmp_path / "terms"), DictionaryFile(BytesIO())
    made.add(terms_of([b"x" * (MAX_BYTES + 1)]), np.ones(1, np.int64))
    with pytest.raises(ValueError, match="too long"):
        made.write(file)
    file.drop()
