"""What is remembered of a hit is what would be rendered anew."""

from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any

import pytest
from markupsafe import Markup

from engine.model.narrowing import NO_FILTERS, SearchFilters
from engine.model.page import Hit
from search_ui.rendering.hit_items import HitItems
from search_ui.rendering.translations import ENGLISH, LANGUAGE, LANGUAGES

HIT = Hit("http://a.example/", "Amber", "amber rooms", 1.5, 2, "en", "2024-05-01T00:00:00+00:00")
OTHER: dict[type, Any] = {str: "other", int: 77, bool: True, float: 7.5, tuple: ((1, 2),)}


class Counting:
    """Says all that it is given, with how often it was asked."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self, *asked: object) -> Markup:
        self.times += 1
        return Markup(f"{asked} in {LANGUAGE.get()}, {self.times}")


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    token = LANGUAGE.set(ENGLISH)
    yield
    LANGUAGE.reset(token)


@pytest.mark.parametrize("name", [field.name for field in fields(Hit) if field.name != "score"])
def test_a_hit_that_is_another_is_rendered(name: str) -> None:
    items = HitItems(Counting())
    changed = replace(HIT, **{name: OTHER[type(getattr(HIT, name))]})
    assert items(changed, "amber", NO_FILTERS) != items(HIT, "amber", NO_FILTERS)


def test_the_same_is_rendered_once_in_each_language() -> None:
    """Whatever its score is, which is not shown."""
    render = Counting()
    items = HitItems(render)
    for _ in range(2):
        for language in LANGUAGES:
            LANGUAGE.set(language)
            assert f"in {language}" in items(HIT, "amber", NO_FILTERS)
            items(replace(HIT, score=2.5), "amber", NO_FILTERS)
    assert render.times == len(LANGUAGES)


@pytest.mark.parametrize(
    ("typed", "choice", "why"),
    [
        ("Amber", NO_FILTERS, "links have what was typed"),
        ("amber \ud800", NO_FILTERS, "half a character"),
        ("amber", SearchFilters(host="a.example"), "links have what was chosen"),
    ],
)
def test_what_was_asked_makes_a_difference(typed: str, choice: SearchFilters, why: str) -> None:
    render = Counting()
    items = HitItems(render)
    first = items(HIT, "amber", NO_FILTERS)
    other = items(HIT, typed, choice)
    assert (first != other, render.times) == (True, 2), why
    assert items(HIT, typed, choice) == other
    assert render.times == 2
