"""The measures: values worked out by hand, and the formulas in their plainest form."""

from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.relevance.measures import Measures, average_precision, mean, measure, ndcg, recall

MANY = [f"n{number}" for number in range(2_000)]


@pytest.mark.parametrize(
    ("ranked", "grades", "value", "why"),
    [
        (["a"], {"a": 1}, 1.0, "all there is, first"),
        (["x", "a"], {"a": 1}, 1 / log2(3), "the discount of rank 2"),
        (["b", "a"], {"a": 2, "b": 1}, (1 + 2 / log2(3)) / (2 + 1 / log2(3)), "the gain is the grade"),
        (["x", "a"], {"a": 1, "x": -1}, 1 / log2(3), "a grade below 0 gains nothing and takes nothing"),
        ([*MANY[:10], "a"], {"a": 1}, 0.0, "rank 11 is not seen"),
        (MANY[:10], dict.fromkeys(MANY[:12], 1), 1.0, "the best list has ten places too"),
        ([], {"a": 1}, 0.0, "nothing found"),
    ],
)
def test_ndcg(ranked: list[str], grades: dict[str, int], value: float, why: str) -> None:
    assert ndcg(ranked, grades) == pytest.approx(value), why


def test_average_precision() -> None:
    assert average_precision(["a", "x", "b"], {"a": 1, "b": 2, "c": 1}) == pytest.approx((1 + 2 / 3) / 3)


def test_recall_looks_at_a_hundred() -> None:
    assert recall([*MANY[:99], "a", "b"], {"a": 1, "b": 1}) == 0.5


def test_lists_are_looked_at_to_the_thousandth_hit() -> None:
    assert measure(MANY, {MANY[999]: 1}).average_precision == pytest.approx(1 / 1_000)
    assert measure(MANY, {MANY[1_000]: 1}).average_precision == 0.0


def test_the_mean_counts_each_query_the_same() -> None:
    assert mean([Measures(1.0, 0.5, 0.0), Measures(0.0, 0.5, 1.0)]) == Measures(0.5, 0.5, 0.5)


IDS = MANY[:30]
RANKED = st.lists(st.sampled_from(IDS), unique=True)
GRADES = st.dictionaries(st.sampled_from(IDS), st.integers(-1, 3), min_size=1).filter(
    lambda grades: max(grades.values()) > 0
)


@given(ranked=RANKED, grades=GRADES)
def test_the_formulas_in_their_plainest_form(ranked: list[str], grades: dict[str, int]) -> None:
    relevant = {document for document, grade in grades.items() if grade > 0}
    best = sorted((grades[document] for document in relevant), reverse=True)[:10]
    gained = sum(grades[d] / log2(at + 2) for at, d in enumerate(ranked[:10]) if d in relevant)
    precisions = [
        len(relevant & set(ranked[: at + 1])) / (at + 1) for at, d in enumerate(ranked) if d in relevant
    ]
    assert measure(ranked, grades) == pytest.approx(
        (
            gained / sum(grade / log2(at + 2) for at, grade in enumerate(best)),
            sum(precisions) / len(relevant),
            len(relevant & set(ranked)) / len(relevant),
        )
    )


@given(ranked=RANKED, grades=GRADES)
def test_no_list_is_better_than_the_one_in_order_of_grades(ranked: list[str], grades: dict[str, int]) -> None:
    best = sorted(grades, key=lambda document: -grades[document])
    assert measure(best, grades) == pytest.approx((1.0, 1.0, 1.0))
    assert all(0 <= found <= 1 + 1e-9 for found in measure(ranked, grades))
