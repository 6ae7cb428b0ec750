"""The best of what is found: by pruning, strip by strip or all at once, always the same."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.index.reader.leaf_arrays import LeafArrays
from engine.index.reader.posting_lists import Scores, select_top
from engine.index.reader.scored_documents import EXACT, OWN, ScoredDocuments, are_own, set_marks
from engine.index.scoring import best, block_max
from engine.index.scoring.best import AcceptedDocuments, Flagged, collect_conjunction, collect_disjunction

SIZE = 2_000
FEW = Flagged(np.array([3, 40, 41, 1_999], np.int32), 0.05)
EVERY = AcceptedDocuments()
NONE = Flagged(np.empty(0, np.int32), 0.05)

Lists = Sequence[dict[int, tuple[float, bool]]]
"""For each part of a query the documents, with scores and whether they are found for their own texts."""

SCORES = st.tuples(st.sampled_from([0.25, 0.5, 1.0, 1.5, 3.0]), st.booleans())
LISTS = st.lists(
    st.dictionaries(st.integers(0, SIZE - 1), SCORES, max_size=30)
    | st.builds(
        lambda step, of: {at: (of[0] + at % 97 / 100, of[1]) for at in range(0, SIZE, step)},
        st.integers(1, 40),
        SCORES,
    ),
    min_size=1,
    max_size=4,
)


def found(documents: dict[int, tuple[float, bool]]) -> ScoredDocuments:
    order = sorted(documents)
    scores = np.array([documents[at][0] for at in order], np.float32)
    marks = np.array([(OWN | EXACT) * documents[at][1] for at in order], np.uint32)
    return ScoredDocuments(np.array(order, np.int32), set_marks(scores, marks))


def words_of() -> Any:
    """As much of Words as lists need that are no words': an index of SIZE documents in two segments."""
    members = [_member(start, SIZE // 2) for start in (0, SIZE // 2)]
    norms = np.ones((2, 8, 4), np.float32)
    edges = np.array([0, SIZE // 2, SIZE], np.int32)
    return SimpleNamespace(reader=SimpleNamespace(size=SIZE, members=members, edges=edges), norms=norms)


def _member(base: int, size: int) -> Any:
    packed = np.empty(0, np.uint64), np.empty(0, np.uint16), np.empty(0, np.uint64)
    rows, marks = np.empty((0, 8), np.uint16), np.empty(0, np.uint32)
    lengths = np.empty((8, size), np.uint16)
    firsts, columns = np.zeros(1, np.int32), np.empty(0, np.uint8)
    parts = np.zeros(size + 1, np.uint64), np.empty(0, np.uint16)
    arrays = LeafArrays(*packed, *packed, rows, marks, firsts, columns, lengths, *parts)
    return SimpleNamespace(leaf=SimpleNamespace(size=size, arrays=arrays), base=base, alive=None)


WORDS = words_of()


def plainly(lists: Lists, flagged: Flagged) -> dict[int, tuple[float, bool]]:
    """Scores of all that are in any of the lists."""
    sums = {at: sum(of[at][0] for of in lists if at in of) for of in lists for at in of}
    low = set(flagged.documents.tolist())
    return {
        at: (score * (0.05 if at in low else 1), any(of[at][1] for of in lists if at in of))
        for at, score in sums.items()
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    ("small", "counted", "few", "why"),
    [
        (1 << 16, 10_000, 1 << 15, "few documents are all added up"),
        (512, 10_000, 512, "of many, too, where they are to be counted"),
        (512, 10, 512, "else only those blocks are looked at that can have some of the best"),
        (512, 10, 1 << 15, "of one block, too"),
    ],
)
@settings(max_examples=40, deadline=None)
@given(lists=LISTS, count=st.integers(1, 400), some=st.booleans())
def test_the_best_are_the_best_of_all(
    small: int, counted: int, few: int, why: str, lists: Lists, count: int, some: bool
) -> None:
    flagged = FEW if some else NONE
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(best, "SMALL", small)
        patched.setattr(best, "COUNTED", counted)
        patched.setattr(block_max, "FEW", few)
        patched.setattr(block_max, "BLOCK_BITS", 5)
        parts = [found(of) for of in lists]
        chosen = collect_disjunction(WORDS, parts, count, flagged, EVERY)
        both = collect_conjunction(WORDS, parts, count, flagged, EVERY)
    every = plainly(lists, flagged)
    expected = sorted((score for score, _ in every.values()), reverse=True)[:count]
    assert sorted(chosen.scores.tolist(), reverse=True)[:count] == pytest.approx(expected, rel=1e-5), why
    for at, score, own in zip(chosen.documents.tolist(), chosen.scores, chosen.own, strict=True):
        assert (score, own) == (pytest.approx(every[at][0], rel=1e-5), every[at][1])
    assert chosen.documents.tolist() == sorted(set(chosen.documents.tolist()))
    if expected:  # equal ones at the edge: all of them or none
        edge = expected[-1] * (1 + 1e-4)
        assert {at for at, (score, _) in every.items() if score > edge} <= set(chosen.documents.tolist())
    if chosen.exact:
        assert chosen.total == len(every)
    else:
        assert max(map(len, lists)) <= chosen.total <= SIZE
        assert max(map(len, lists)) > counted, "what is few is counted"

    shared = {at: of for at, of in every.items() if all(at in documents for documents in lists)}
    expected = sorted((score for score, _ in shared.values()), reverse=True)[:count]
    assert sorted(both.scores.tolist(), reverse=True)[:count] == pytest.approx(expected, rel=1e-5), why
    for at, own in zip(both.documents.tolist(), both.own.tolist(), strict=True):
        assert own == all(of[at][1] for of in lists), "what all parts find in the text itself"
    assert both.total == len(shared) if both.exact else both.total >= len(both.documents)


@settings(max_examples=40)
@given(lists=LISTS, count=st.integers(1, 50))
def test_documents_may_be_chosen_beforehand(lists: Lists, count: int) -> None:
    only, but = np.arange(0, SIZE, 3, dtype=np.int32), [np.arange(0, SIZE, 5, dtype=np.int32)]
    chosen = collect_disjunction(
        WORDS, [found(of) for of in lists], count, NONE, AcceptedDocuments(only, but)
    )
    every = {at: of for at, of in plainly(lists, NONE).items() if at % 3 == 0 and at % 5}
    expected = sorted((score for score, _ in every.values()), reverse=True)[:count]
    assert sorted(chosen.scores.tolist(), reverse=True)[:count] == pytest.approx(expected, rel=1e-5)
    assert chosen.total == len(every)


def _few(size: int, kind: str) -> Scores:
    dice = np.random.default_rng(size)
    every = dice.random(size, np.float32) if kind == "random" else np.ones(size, np.float32)
    return np.where(dice.random(size) < 0.5, every, np.float32(0))


@pytest.mark.parametrize("size", [0, 1, 15, 16, 17, 640, 641, 4_096, 50_001])
@pytest.mark.parametrize("kind", ["random", "equal"])
@pytest.mark.parametrize("count", [1, 20, 300])
def test_what_leads_has_all_that_are_as_good_as_the_last(size: int, kind: str, count: int) -> None:
    every = _few(size, kind)
    scores = every[every > 0]
    at, least = select_top(scores, count, 0)
    ordered = np.sort(scores)[::-1]
    last = ordered[min(count, len(ordered)) - 1] if len(ordered) else 1.0
    assert set(np.flatnonzero(scores >= last).tolist()) <= set(at.tolist())
    assert (scores[at] >= least).all()
    assert (scores[np.setdiff1d(np.arange(len(scores)), at)] < least).all()
    assert at.tolist() == sorted(at.tolist())
    assert len(at) <= count + len(scores) // 16 or kind == "equal", "a few of about the last one's score"


def test_a_mark_moves_a_score_by_less_than_a_millionth() -> None:
    scores = np.array([1e-6, 0.1, 1.0, 22.5], np.float32)
    assert set_marks(scores, OWN | EXACT) == pytest.approx(scores, rel=1e-6)
    assert are_own(set_marks(scores, OWN)).all()
    assert not are_own(set_marks(scores, np.uint32(0))).any()
