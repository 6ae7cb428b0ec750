"""Terms side by side are sorted, joined and copied as a list of them would be."""

from itertools import accumulate, pairwise

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine.segment.terms import argsort_terms, concatenate_terms, encode_terms, mark_distinct, split_terms
from tests.engine.segment.plain import terms_of

OCTETS = st.text("\0\x01 aż😀", max_size=3).map(str.encode)
ALIKE = st.sampled_from([b"", b"\0" * 7, b"\0" * 8, b"\0abcdefgh", b"https://a.example/" * 3])
TERMS = st.lists(st.builds(bytes.__add__, ALIKE, OCTETS), max_size=40)


@given(TERMS)
@example([b"https://a.example/%d" % (at * 7919 % 1000) for at in range(300)])
@example([b"", b"\0", b"", b"\0\0", b"\0" * 8, b"\0" * 9, b"\xff" * 9, b"\xff" * 8])
def test_order(words: list[bytes]) -> None:
    """As Python sorts octets; of like ones the first comes first, and only it is told as new."""
    terms = terms_of(words)
    order = argsort_terms(terms)
    assert order.tolist() == sorted(range(len(words)), key=words.__getitem__)
    new = order[mark_distinct(terms, order)]
    assert terms.at(new).octets.tobytes() == terms_of(sorted(set(words))).octets.tobytes()
    assert new.tolist() == sorted(map(words.index, set(words)), key=words.__getitem__)


@given(TERMS, st.lists(st.integers(0, 9), max_size=4))
def test_parts_are_joined(words: list[bytes], sizes: list[int]) -> None:
    bounds = [0, *(min(end, len(words)) for end in accumulate(sizes)), len(words)]
    whole, parts = terms_of(words), [words[start:end] for start, end in pairwise(bounds)]
    for start, end in pairwise(bounds):
        part = whole.between(start, end)
        assert part.octets.tobytes() == terms_of(words[start:end]).octets.tobytes()
        assert part.ends.tolist() == terms_of(words[start:end]).ends.tolist()
    both = concatenate_terms([terms_of(part) for part in parts])
    assert (both.octets.tobytes(), both.ends.tolist()) == (whole.octets.tobytes(), whole.ends.tolist())


def test_groups() -> None:
    """What is before the first key is counted by its octet."""
    text = (
        encode_terms(b"\0", ["ż", "b"])
        + encode_terms(b"\x03", [])
        + encode_terms(b"\x02", ["https://a.example/"])
    )
    terms = split_terms(text, 3)
    assert text == b"\0\xc5\xbc\n\0b\n\x02https://a.example/\n"
    assert [terms.count_before(octet) for octet in (0, 1, 2, 3)] == [0, 2, 2, 3]
    assert terms.at(np.array([2, 0])).octets.tobytes() == b"\x02https://a.example/\n\0\xc5\xbc\n"


@pytest.mark.parametrize(
    ("why", "text", "size"),
    [
        ("a line break in a term", b"a\nb\n", 1),
        ("no line break at the end", b"a\nb", 1),
        ("too few terms", b"a\n", 2),
        ("terms where none are", b"\n", 0),
    ],
    ids=["in", "behind", "few", "none"],
)
def test_what_is_no_text_of_terms(why: str, text: bytes, size: int) -> None:
    with pytest.raises(ValueError, match="line break"):
        split_terms(text, size)
