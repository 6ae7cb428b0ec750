"""Which scores are the best, and which of them lead: whatever the scores, as NumPy sorts them."""

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from engine.index.scoring.top_k import rank_top, select_leaders

SCORES = st.lists(st.one_of(st.floats(0, 1e4, width=32), st.sampled_from([0.0, 0.5, 1.0])), max_size=80)


@given(SCORES, st.integers(1, 90), st.integers(0, 90))
@example([], 1, 0)
@example([0.0] * 40, 5, 0)  # every weight is 0
@example([1.0, 2.0, 2.0, 3.0], 2, 0)
def test_the_best_first_with_all_that_are_as_good_as_the_last(
    values: list[float], count: int, start: int
) -> None:
    scores = np.array(values, np.float32)
    every = np.argsort(-scores, kind="stable")
    least = scores[every[count - 1]] if count <= len(scores) else 0
    wanted = [int(at) for at in every if scores[at] >= least]
    order, tied = rank_top(scores, count, start)
    assert order.tolist() == wanted
    ranked = scores[wanted].tolist()
    assert tied == any(ranked[at] == ranked[at - 1] for at in range(max(start, 1), len(ranked)))


@given(SCORES, st.integers(1, 90))
def test_leaders_are_better_than_all_others(values: list[float], count: int) -> None:
    scores = np.array(values, np.float32)
    best = np.sort(scores)[::-1]
    others = best[count] if count < len(best) else 0
    leaders = select_leaders(scores, count)
    assert leaders.tolist() == np.flatnonzero(scores > others).tolist()
    assert len(leaders) <= count
