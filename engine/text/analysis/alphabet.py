"""Folds letters: which characters are letters, and which are one and the same for a search."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import repeat

MAX_MARKS = 30  # combining marks in a row (UAX #15, section 13): normalising n of them costs n squared

_CATEGORY = [unicodedata.category(chr(code)) for code in range(0x10000)]
_SPACELESS_BLOCKS = (
    range(0x0E00, 0x0F00),  # Thai, Lao
    range(0x1000, 0x10A0),  # Myanmar
    range(0x1100, 0x1200),  # Hangul Jamo
    range(0x1780, 0x1800),  # Khmer
    range(0x3000, 0xA000),  # Kana, Bopomofo, Han
    range(0xA960, 0xA980),  # Hangul Jamo, more
    range(0xAC00, 0xD800),  # Hangul
    range(0xF900, 0xFB00),  # Han that normalisation leaves alone
)


def _bracket_ranges(codes: Iterable[int]) -> str:
    """Formats ascending code points as the inside of a regular expression's brackets."""
    runs: list[list[int]] = []
    for code in codes:  # every process that reads or searches comes by here when it starts
        if runs and runs[-1][1] == code - 1:
            runs[-1][1] = code
        else:
            runs.append([code, code])
    return "".join(f"{chr(first)}-{chr(last)}" for first, last in runs)


MARKS = _bracket_ranges(code for code in range(0x10000) if _CATEGORY[code][0] == "M")
"""Combining marks, for use in brackets. Those past U+FFFF would slow every match down threefold."""

SPACELESS = (
    _bracket_ranges(
        code
        for block in _SPACELESS_BLOCKS
        for code in block
        if _CATEGORY[code][0] in "LM" or _CATEGORY[code] == "Nl"
    )
    + "\U0001b000-\U0001b16f\U00020000-\U0003ffff"
)
"""Letters of scripts written without spaces, and Hangul, whose compounds are; for use in brackets."""

CLINGING = MARKS + "\u1160-\u11ff\u3131-\u318e\uff9e-\uffdc\U00010a01-\U00011fff\U0001d165-\U0001d1ad"
"""What normalisation may join to the character before it: marks, Jamo, half-width forms of both."""

_STACKED = re.compile(f"([{CLINGING}][{CLINGING}]{{{MAX_MARKS - 1}}})[{CLINGING}]+")
_CLUSTER = re.compile(f"(?s:.)[{CLINGING}]*")
_WHITE_OR_NOT = re.compile(r"\s+|\S+")

TYPED = (
    ("\u2019", "'"),
    ("\u02bc", "'"),
    ("\u2018", "'"),
    ("\u2010", "-"),
    ("\u2013", "-"),
    ("\u2212", "-"),
)
"""Apostrophes, hyphens and the dash of 1939–1945, as a keyboard has them; NFKC makes these of their kin."""

LETTERS = str.maketrans(
    {
        **{
            chr(code): str(unicodedata.digit(chr(code))) for code in range(0x10000) if _CATEGORY[code] == "Nd"
        },
        "ي": "ی",  # Arabic and Persian keyboards send different letters for one and the same
        "ى": "ی",
        "ك": "ک",
        "ة": "ه",
        "ۀ": "ه",
        "ہ": "ه",  # Urdu's
        "ۂ": "ه",
        "ۃ": "ه",
        "أ": "ا",
        "إ": "ا",
        "آ": "ا",
        "ٱ": "ا",
        "ё": "е",  # Russian prints the dots in primers only
        **dict.fromkeys(map(chr, (0x640, *range(0x64B, 0x660), 0x670))),  # tatweel, harakat: not spelling
        **dict.fromkeys(map(chr, (*range(0x591, 0x5BE), 0x5BF, 0x5C1, 0x5C2))),  # niqqud
        **dict.fromkeys("\u00ad\u200c\u200d\u2060"),  # soft hyphen, joiners: invisible
        "\u0307": None,  # the dot that case folding takes off a Turkish capital i
    }
)
"""Spelling variants -> the one spelling in the index. Applied to tokens, so that offsets in the text hold."""

ARABIC = str.maketrans("یک", "يك")
"""Back to the letters that the Arabic stemmer knows."""


def fold(text: str) -> str:
    """Folds case and form: NFKC, case folding, NFKC again (Unicode, D147)."""
    if text.isascii():
        return text.lower()
    text = _STACKED.sub(r"\1", text.replace("™", " "))  # Java™ is not the word javatm
    composed = unicodedata.normalize("NFKC", text).replace("İ", "I")  # which folding would make two of
    folded = unicodedata.normalize("NFKC", composed.casefold())
    for typographic, typed in TYPED:
        folded = folded.replace(typographic, typed)
    return folded


def fold_with_offsets(text: str) -> tuple[str, Sequence[int], Sequence[int]]:
    """Folds, and gives for each character where in `text` the characters behind it start and end."""
    folded = fold(text)
    if _is_one_to_one(text, folded):
        return folded, range(len(text)), range(1, len(text) + 1)
    parts: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for start, end in _split_foldable(text):
        part = fold(text[start:end])
        whole = _is_one_to_one(text[start:end], part)
        parts.append(part)
        starts.extend(range(start, end) if whole else repeat(start, len(part)))
        ends.extend(range(start + 1, end + 1) if whole else repeat(end, len(part)))
    return "".join(parts), starts, ends


def _is_one_to_one(text: str, folded: str) -> bool:
    """Tells whether each character of `folded` is that of `text` in the same place: only case folded."""
    return len(text) == len(folded) and text.casefold() == folded


def _split_foldable(text: str) -> Iterator[tuple[int, int]]:
    """Splits a text into stretches that fold alone as together: no white space joins what is beside it."""
    for stretch in _WHITE_OR_NOT.finditer(text):
        start, end = stretch.span()
        if _is_one_to_one(stretch[0], fold(stretch[0])):
            yield start, end
        else:
            yield from (cluster.span() for cluster in _CLUSTER.finditer(text, start, end))
