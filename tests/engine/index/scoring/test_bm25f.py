"""When a word counts as stuffed into its text."""

import pytest

from engine.index.scoring.bm25f import limit_stuffing


@pytest.mark.requirement(302)
@pytest.mark.parametrize(
    ("often", "length", "counts", "why"),
    [
        (5, 5, 5, "a short text may repeat its word"),
        (6, 6, 1, "but not that often"),
        (32, 400, 32, "a share of 8 % exactly"),
        (33, 400, 1, "more than that"),
        (10, 40, 10, "the square of 10 is 2.5 times 40"),
        (11, 40, 1, "more than that"),
    ],
)
def test_a_stuffed_word_counts_once(often: int, length: int, counts: int, why: str) -> None:
    assert limit_stuffing(often, length) == counts, why
