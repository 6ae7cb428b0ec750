"""An occurrence counts less in a stuffed text and in a long one."""

import numpy as np
import pytest

from engine.index.scoring.bm25f import limit_stuffing, normalize
from engine.index.scoring.words import make_norm
from engine.ranking import FieldRanking


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


@pytest.mark.requirement(300)
@pytest.mark.parametrize(
    ("field", "length", "divided_by", "why"),
    [
        (FieldRanking(1.0, 0.4, longest=3.0), 0, 0.6, "1 - b"),
        (FieldRanking(1.0, 0.4, longest=3.0), 100, 1.0, "a text of the mean length"),
        (FieldRanking(1.0, 0.4, longest=3.0), 300, 1.8, "three times that"),
        (FieldRanking(1.0, 0.4, longest=3.0), 301, 1.8, "what is longer has more subjects"),
        (FieldRanking(1.0, 0.4, longest=3.0), 2_000_000, 1.8, "however long it is"),
        (FieldRanking(4.0, 0.5), 10_000, 50.5, "a title has one subject"),
        (FieldRanking(1.0, 0.0, longest=3.0), 10_000, 1.0, "no length counts with b 0"),
        (FieldRanking(1.0, 0.0), 10_000, 1.0, "nor where none is the longest"),
    ],
)
def test_a_long_text_counts_less(field: FieldRanking, length: int, divided_by: float, why: str) -> None:
    norms = np.array([[make_norm("body", field, 100.0)]], np.float32)
    assert normalize(norms, 0, 0, np.float32(length)) == pytest.approx(divided_by), why
