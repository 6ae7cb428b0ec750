"""Endings that titles share, and titles without them."""

import pytest

from engine.index.lexicon.title_suffix import FEWEST, NO_SUFFIX, TitleSuffix, learn_suffix

PLANTS = [f"Plant {number}" for number in range(FEWEST)]


@pytest.mark.parametrize(
    ("titles", "suffix", "why"),
    [
        ([f"{one} — Herbarium" for one in PLANTS], " — Herbarium", "a dash"),
        ([f"{one}  |\n Herbarium" for one in PLANTS], " | Herbarium", "white space is one space"),
        ([f"{one} (Herbarium)" for one in PLANTS], " (Herbarium)", "brackets"),
        ([f"{one} - Ferns - Herbarium" for one in PLANTS], " - Ferns - Herbarium", "the longest"),
        ([*(f"{one} - H" for one in PLANTS), *PLANTS], "", "half of them"),
        ([f"{one} — Herbarium" for one in PLANTS[1:]], "", "of a few nothing is learned"),
        ([], "", "no titles"),
    ],
)
def test_what_most_titles_end_with(titles: list[str], suffix: str, why: str) -> None:
    assert learn_suffix(titles) == TitleSuffix(suffix), why


@pytest.mark.parametrize(
    ("title", "short", "why"),
    [
        ("Fern — Herbarium", "Fern", "all of it"),
        ("Fern — Herb", "Fern", "a title that was cut"),
        ("Fern — Her bark", "Fern — Her bark", "something else"),
        (" — Herbarium", " — Herbarium", "nothing is left"),
        ("Fern", "Fern", "it has none"),
    ],
)
def test_a_title_without_it(title: str, short: str, why: str) -> None:
    assert TitleSuffix(" — Herbarium").remove_from(title) == short, why
    assert NO_SUFFIX.remove_from(title) == title
