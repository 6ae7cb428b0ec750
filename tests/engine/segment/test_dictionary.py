"""A dictionary of terms finds each, says where an absent one would stand, and where postings begin."""

from bisect import bisect_left
from hashlib import sha256
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.segment import dictionary as dictionaries
from engine.segment.dictionary import MAX_BYTES, Dictionary, DictionaryFile
from engine.segment.packed import BLOCK
from engine.segment.sections import Sections, SectionsFile
from tests.engine.segment.plain import terms_of
from tests.memory import measure_growth

WORDS = st.text("abż漢😀\x01 ", min_size=1, max_size=4).map(str.encode)
AROUND_BLOCKS = [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK, 3 * BLOCK + 1]


def written(terms: list[bytes], counts: list[int], cuts: list[int]) -> Dictionary:
    """A dictionary of sorted terms that came in pieces, read from a file that has gone since."""
    with TemporaryDirectory() as folder:
        file, made = SectionsFile(Path(folder, "terms")), DictionaryFile(BytesIO())
        for start, end in pairwise(sorted({0, *cuts, len(terms)})):
            made.add(terms_of(terms[start:end]), np.array(counts[start:end], np.int64))
        made.write(file)
        file.finish({"terms": made.size})
        return Dictionary(Sections(Path(folder, "terms")))


def holds(terms: list[bytes], counts: list[int], cuts: list[int], asked: list[bytes]) -> None:
    """All that a dictionary promises, against a sorted list."""
    dictionary = written(terms, counts, [cut % (len(terms) + 1) for cut in cuts])
    assert dictionary.size == len(terms)
    assert list(dictionary.terms()) == terms
    for term in [*asked, *terms[:3], *terms[-3:]]:
        place = bisect_left(terms, term)
        assert dictionary.find_at_least(term) == place
        assert list(dictionary.terms(place)) == terms[place:]
        assert dictionary.find(term) == (place if term in terms else -1)
    ends = [0, *np.cumsum(counts).tolist()]
    for start, end in ((0, 0), (0, len(terms)), (len(terms) // 3, len(terms) // 2)):
        assert dictionary.between(start, end).octets.tobytes().split(b"\n")[:-1] == terms[start:end]
    for number in {*range(0, len(terms), 50), *range(len(terms))[-1:]}:
        assert dictionary.term(number) == terms[number]
        assert dictionary.postings(number) == (ends[number], ends[number + 1])
        assert dictionary.counts(number, len(terms)).tolist() == counts[number:]


@settings(max_examples=50)
@example([], [], [b"a"])
@example([b"a", b"b"], [], [b"a\nb", b"\n", b"", b"a\n"])
@given(st.lists(WORDS, unique=True), st.lists(st.integers()), st.lists(WORDS))
def test_any_terms(terms: list[bytes], cuts: list[int], asked: list[bytes]) -> None:
    holds(sorted(terms), [at % 7 + 1 for at in range(len(terms))], cuts, asked)


@pytest.mark.parametrize("size", AROUND_BLOCKS)
def test_sizes_around_those_of_blocks(size: int) -> None:
    terms = sorted(b"%d" % (7919 * at) for at in range(size))
    asked = [b"", b"0", b"5", b"99999999", *(term + b"\0" for term in terms[:: BLOCK // 2])]
    holds(terms, [1 + (at * at) % 1000 for at in range(size)], [1, BLOCK, 200], asked)


def test_heads_part_the_postings(monkeypatch: pytest.MonkeyPatch) -> None:
    """What lies between two heads is bounded by the size asked for and one term."""
    monkeypatch.setattr(dictionaries, "_AT_ONCE", 300)
    terms = [b"%06d" % at for at in range(40 * BLOCK)]
    counts = [1 + at % 13 for at in range(len(terms))]
    dictionary = written(terms, counts, [])
    ends = np.cumsum([0, *counts])
    for size in (1, 1000, 5000, 10**9):
        heads = [terms.index(head) for head in dictionary.split_points(size)]
        parts = np.diff(ends[[0, *heads, len(terms)]])
        assert heads == sorted(set(heads))
        assert parts.max() <= size + 13 or not heads
        assert len(heads) <= ends[-1] / size + 1


def test_terms_of_a_hundred_thousand_letters() -> None:
    terms = sorted(b"%d" % at * 10_000 for at in range(10))
    holds(terms, [1] * 10, [], [b"5" * 9_999, b"5" * 10_001])
    assert MAX_BYTES > 10 * 10_000


PIECES, OF_PIECE = {"few": 1, "many": 40}, 20_000


def write_many(path: Path) -> None:
    """Writes URLs that share little, so that they pack badly."""
    with TemporaryFile(dir=path.parent) as aside:
        file, made = SectionsFile(path), DictionaryFile(aside)
        for piece in range(PIECES[path.name]):
            digests = (sha256(b"%d %d" % (piece, at)).hexdigest().encode() for at in range(OF_PIECE))
            made.add(terms_of([b"%04d %s" % (piece, digest) for digest in sorted(digests)]), COUNTS)
        made.write(file)
        file.finish({"terms": made.size})


COUNTS = np.ones(OF_PIECE, np.int64)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux tells by /proc")
def test_terms_on_their_way_into_a_file_take_little_memory(tmp_path: Path) -> None:
    """A merge has those of all segments: 56 MB here, of which 26 once they are packed."""
    [grown] = measure_growth(write_many, tmp_path / "few", [tmp_path / "many"])
    assert grown < 16 << 10
    assert Dictionary(Sections(tmp_path / "many")).size == PIECES["many"] * OF_PIECE


def test_an_unfinished_file_is_not_there(tmp_path: Path) -> None:
    file = SectionsFile(tmp_path / "terms")
    DictionaryFile(BytesIO()).write(file)
    file.drop()
    assert list(tmp_path.iterdir()) == []
