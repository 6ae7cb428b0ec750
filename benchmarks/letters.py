"""Counts engine/text/language/letters.json again, from frequent words: `python -m benchmarks.letters`.

It needs `pip install wordfreq zhconv pythainlp`, which nothing else does. The words of wordfreq
(by Robyn Speer) come from encyclopedias, subtitles, news, books and forums; none are of the pages
by which the detection of charsets is judged.
"""

import json
import math
from collections import Counter
from collections.abc import Iterator
from itertools import islice, pairwise
from pathlib import Path
from string import ascii_lowercase
from typing import Any

from pythainlp.corpus import tnc
from wordfreq import get_frequency_dict
from zhconv import convert

from engine.text.language.letters import DIGITS, SAME, STEP

TARGET = Path(__file__).parent.parent / "engine/text/language/letters.json"
_LATIN = "en de fr es pt it nl sv da no fi is ca pl cs sk hu sl hr ro tr lt lv"
LATIN = _LATIN.split()
OTHERS = ["ru", "uk", "bg", "mk", "el", "he", "ar", "fa", "th"]
COMPETING = ["id", "vi", "ru", "uk", "bg", "mk", "ar", "fa", "ur"]  # with others of their script
LITTLE_WORDS = 24  # the most frequent of a language: a fourth of a text
CALLED = {"no": "nb", "hr": "sh"}  # wordfreq's names
WRITINGS = {
    "zh-hans": ("zh", "一", "鿿"),
    "zh-hant": ("zh", "一", "鿿"),
    "ja": ("ja", "ぁ", "鿿"),
    "ko": ("ko", "가", "힣"),
}
FREQUENT = 500  # characters: four fifths of a Chinese text, nine tenths of a Japanese one
RAREST = 2e-5  # of all letters; rarer ones are of other languages
DOUBT = 1e-4  # of all text: how much is known of pairs that were never seen
NEVER = 1e-7


def main() -> None:
    """Write the table."""
    table: dict[str, dict[str, Any]] = {
        "pairs": {language: _pairs(language) for language in LATIN + OTHERS},
        "words": {language: _little_words(language) for language in (*LATIN, *COMPETING)},
        "frequent": {writing: _frequent(writing) for writing in WRITINGS},
    }
    lines = (
        f'"{part}": {{\n'
        + ",\n".join(
            f'"{key}": {json.dumps(entry, ensure_ascii=False)}' for key, entry in table[part].items()
        )
        + "\n}"
        for part in table
    )
    TARGET.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def _pairs(language: str) -> dict[str, Any]:
    ones: Counter[str] = Counter()
    twos: Counter[tuple[str, str]] = Counter()
    for word, share in _words(language):
        spelled = f" {word.lower().translate(SAME)} ".replace("\u200c", " ")
        if not any(character.isdigit() for character in spelled):
            for pair in pairwise(spelled):
                ones[pair[1]] += share  # type: ignore[assignment]  # a Counter may hold floats
                twos[pair] += share  # type: ignore[assignment]
    total = sum(ones.values())
    letters = " " + _letters(language, [letter for letter, n in ones.most_common() if n > RAREST * total])
    costs = []
    for first in letters:
        seen = sum(twos[first, second] for second in letters) + DOUBT * total
        shares = ((twos[first, second] + DOUBT * ones[second]) / seen for second in letters)
        costs.append("".join(_digit(share) for share in shares))
    return {"letters": letters, "costs": costs}


def _letters(language: str, found: list[str]) -> str:
    foreign = [letter for letter in found if not letter.isascii()]
    if language == "th":  # vowels that stand above and below are marks, not letters
        return "".join(letter for letter in foreign if "\u0e01" <= letter <= "\u0e4e")
    return (ascii_lowercase if language in LATIN else "") + "".join(filter(str.isalpha, foreign))


def _digit(share: float) -> str:
    return DIGITS[round(-math.log(max(share, NEVER)) / STEP)]


def _little_words(language: str) -> str:
    known = (word for word, _ in _words(language) if len(word) > 1 and word.isalpha())
    return " ".join(islice(known, LITTLE_WORDS))


def _frequent(writing: str) -> dict[str, Any]:
    language, first, last = WRITINGS[writing]
    counts: Counter[str] = Counter()
    for word, share in _words(language):
        for character in convert(word, writing) if language == "zh" else word:
            if first <= character <= last:
                counts[character] += share  # type: ignore[assignment]
    top = counts.most_common(FREQUENT)
    share = sum(count for _, count in top) / sum(counts.values())
    return {"share": round(share, 2), "characters": "".join(character for character, _ in top)}


def _words(language: str) -> Iterator[tuple[str, float]]:
    if language == "th":
        yield from tnc.word_freqs()
    else:
        yield from get_frequency_dict(CALLED.get(language, language), "small").items()


if __name__ == "__main__":
    main()
