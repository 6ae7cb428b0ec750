"""Lists of documents: what the loops find is what dictionaries find."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.index.found import Found, marked, marks_of
from engine.index.lists import add_up, among, both, look_up, union

SIZE = 300
LISTS = st.one_of(
    st.dictionaries(st.integers(0, SIZE - 1), st.tuples(st.floats(0.1, 9), st.integers(0, 7)), max_size=40),
    st.builds(lambda step: {at: (1.0, at % 8) for at in range(0, SIZE, step)}, st.integers(1, 9)),
)
Marked = dict[int, tuple[float, int]]


def listed(of: Marked) -> Found:
    scores = np.array([of[at][0] for at in sorted(of)], np.float32)
    marks = np.array([of[at][1] for at in sorted(of)], np.uint32)
    return Found(np.array(sorted(of), np.int32), marked(scores, marks))


def same(documents: np.ndarray, scores: np.ndarray, expected: Marked) -> None:
    assert documents.tolist() == sorted(expected)
    assert scores.tolist() == pytest.approx([expected[at][0] for at in sorted(expected)], rel=1e-5)
    assert marks_of(scores).tolist() == [expected[at][1] for at in sorted(expected)]


@settings(max_examples=60)
@given(one=LISTS, other=LISTS)
def test_two_lists(one: Marked, other: Marked) -> None:
    first, second = listed(one), listed(other)
    shared = {at: (one[at][0] + other[at][0], one[at][1] & other[at][1]) for at in one.keys() & other}
    any_ = one | other | {at: (shared[at][0], one[at][1] | other[at][1]) for at in shared}
    same(*both(first.documents, first.scores, second.documents, second.scores), shared)
    same(*union(first.documents, first.scores, second.documents, second.scores), any_)
    same(*among(first.documents, first.scores, second.documents), {at: one[at] for at in shared})
    looked = np.empty(len(other), np.float32)
    look_up(first.documents, first.scores, second.documents, looked)
    assert (looked > 0).tolist() == [at in one for at in sorted(other)]
    same(second.documents[looked > 0], looked[looked > 0], {at: one[at] for at in shared})


@settings(max_examples=30)
@given(of=LISTS, start=st.integers(0, SIZE), size=st.integers(0, SIZE))
def test_a_stretch_is_added_up(of: Marked, start: int, size: int) -> None:
    sums, marks = np.zeros(size, np.float32), np.zeros(size, np.uint8)
    touched, found = np.empty(size + 1, np.int64), listed(of)
    sums[: size // 2], touched[: size // 2] = 1, np.arange(size // 2)
    count = add_up(found.documents, found.scores, start, sums, marks, touched, size // 2)
    there = range(start, start + size)
    before = [1.0 if at < start + size // 2 else 0.0 for at in there]
    expected = [one + of.get(at, (0, 0))[0] for one, at in zip(before, there, strict=True)]
    assert sums.tolist() == pytest.approx(expected, rel=1e-5)
    assert sorted(touched[:count].tolist()) == np.flatnonzero(expected).tolist()
    assert marks.tolist() == [of.get(at, (0, 0))[1] for at in there]
