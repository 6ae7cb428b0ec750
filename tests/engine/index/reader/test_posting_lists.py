"""Lists of documents: what the loops find is what dictionaries find."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.index.reader.posting_lists import intersect_lists, look_up_scores, unite_lists
from engine.index.reader.scored_documents import ScoredDocuments, marks_of, set_marks

SIZE = 300
LISTS = st.one_of(
    st.dictionaries(st.integers(0, SIZE - 1), st.tuples(st.floats(0.1, 9), st.integers(0, 7)), max_size=40),
    st.builds(lambda step: {at: (1.0, at % 8) for at in range(0, SIZE, step)}, st.integers(1, 9)),
)
Marked = dict[int, tuple[float, int]]


def listed(of: Marked) -> ScoredDocuments:
    scores = np.array([of[at][0] for at in sorted(of)], np.float32)
    marks = np.array([of[at][1] for at in sorted(of)], np.uint32)
    return ScoredDocuments(np.array(sorted(of), np.int32), set_marks(scores, marks))


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
    same(*intersect_lists(first.documents, first.scores, second.documents, second.scores), shared)
    same(*unite_lists(first.documents, first.scores, second.documents, second.scores), any_)
    looked = np.empty(len(other), np.float32)
    look_up_scores(first.documents, first.scores, second.documents, looked)
    assert (looked > 0).tolist() == [at in one for at in sorted(other)]
    same(second.documents[looked > 0], looked[looked > 0], {at: one[at] for at in shared})
