"""Where a text may be cut."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.text.analysis.graphemes import (
    MAX_CLUSTER,
    is_grapheme_boundary,
    next_grapheme_boundary,
    previous_grapheme_boundary,
)

WHOLE = [
    ("a\u0301", "an accent of its own"),
    ("कि", "a vowel sign"),
    ("กำ", "a Thai vowel sign"),
    ("\u1112\u1161\u11ab", "a syllable in three jamo"),
    ("가\u11a8", "a syllable and its end"),
    ("👩\u200d🚀", "two pictures joined"),
    ("👍🏽", "a colour of skin"),
    ("🇵🇱", "a flag of two letters"),
    ("❤\ufe0f", "a variation selector"),
    ("ی\u200c", "a Persian non-joiner stays with what is before it"),
    ("\r\n", "one line break"),
]


@pytest.mark.parametrize(("cluster", "why"), WHOLE, ids=[why for _, why in WHOLE])
def test_what_a_reader_sees_as_one_is_not_cut(cluster: str, why: str) -> None:
    """UAX #29, 3.1.1."""
    text = f"x{cluster}y"
    for at in range(2, len(cluster) + 1):
        assert not is_grapheme_boundary(text, at), why
        assert previous_grapheme_boundary(text, at) == 1, why
        assert next_grapheme_boundary(text, at) == 1 + len(cluster), why
    assert is_grapheme_boundary(text, 1), why
    assert is_grapheme_boundary(text, 1 + len(cluster)), why


def test_two_flags_are_two() -> None:
    flags = "🇵🇱🇩🇪"
    assert [at for at in range(5) if is_grapheme_boundary(flags, at)] == [0, 2, 4]


def test_marks_without_end_come_to_one() -> None:
    """A page may have thousands of them on a letter."""
    text = "a" + "\u0301" * 1000
    assert previous_grapheme_boundary(text, 500) == 500 - MAX_CLUSTER
    assert next_grapheme_boundary(text, 500) == 500 + MAX_CLUSTER


@given(st.text(st.sampled_from("a\u0301🇵👩\u200d각ᄀ 漢"), max_size=12), st.integers(0, 12))
def test_cuts_lie_around_the_place(text: str, at: int) -> None:
    at = min(at, len(text))
    before, after = previous_grapheme_boundary(text, at), next_grapheme_boundary(text, at)
    assert 0 <= before <= at <= after <= len(text)
    assert is_grapheme_boundary(text, before)
    assert is_grapheme_boundary(text, after)
