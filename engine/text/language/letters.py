"""Loads letter statistics of languages: pair frequencies, frequent characters and words.

The counts are those of letters.json, which `python -m benchmarks.letters` makes.
"""

import json
import math
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

DIGITS = "".join(chr(code) for code in range(33, 127) if chr(code) not in '"\\')
"""The digits in which letters.json writes what a pair costs; from the cheapest, one STEP apart."""

STEP = 0.25  # nats, of the natural logarithm of a probability
UNLISTED = 10.3  # nats; a character of some 6,000 that share a fifth of all text
FLAT = 10  # ranks that are added before Zipf's law is taken: the first few characters do not stand out so
SAME = str.maketrans("\u064a\u0649\u06a9\u0219\u021b", "\u06cc\u06cc\u0643\u015f\u0163")
"""Letters that readers take for one and of which charsets have only one: yeh, kaf, s and t with cedilla."""


class LetterCosts(NamedTuple):
    """`costs[i][j]` is the digit for what it costs that letter j follows letter i; letter 0 is the blank."""

    letters: str
    costs: list[str]


def load_letter_pairs(language: str) -> LetterCosts:
    """Loads the pairs of letters of a language, by its ISO 639-1 code."""
    entry = _load_statistics()["pairs"][language]
    return LetterCosts(entry["letters"], entry["costs"])


@cache
def load_frequent_characters(writing: str) -> dict[str, float]:
    """Loads what the most frequent characters cost, in nats: of zh-hans, zh-hant, ja or ko."""
    entry = _load_statistics()["frequent"][writing]
    weights = [1 / (rank + FLAT) for rank in range(len(entry["characters"]))]
    scale = entry["share"] / sum(weights)
    return {
        character: -math.log(weight * scale)
        for character, weight in zip(entry["characters"], weights, strict=True)
    }


@cache
def load_frequent_words() -> dict[str, tuple[str, ...]]:
    """Loads the most frequent words of languages that share their script -> those languages."""
    found: dict[str, tuple[str, ...]] = {}
    for language, words in _load_statistics()["words"].items():
        for word in words.translate(SAME).split():
            found[word] = (*found.get(word, ()), language)
    return found


@cache
def _load_statistics() -> Any:
    return json.loads(Path(__file__).with_name("letters.json").read_text(encoding="utf-8"))
