"""Strips accents that people omit in queries: zolw for żółw, cafe for café.

Such a spelling is akin to the word, not the word: the index keeps both, and puts the exact one first.
"""

import unicodedata
from collections.abc import Iterator
from functools import cache

from engine.text.analysis.alphabet import LETTERS

_OWN_LETTERS = {
    **dict.fromkeys(("fi", "sv"), "åäö"),
    **dict.fromkeys(("da", "nb", "nn", "no"), "åæø"),
    "et": "äõöü",
}
"""Letters of their own, which whoever writes the language has on the keyboard and always types."""

_GERMAN = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})  # DIN 5007-2: mueller as well as muller

_UNDIVIDED = {"ł": "l", "đ": "d", "ø": "o", "ı": "i", "æ": "ae", "œ": "oe", "ħ": "h", "ŧ": "t", "ð": "d"}
"""Letters that Unicode does not take apart into a base and a mark."""

_NUKTA = "\u093c"
_CANDRABINDU = {0x901: "\u0902"}  # for which anusvara is often written


class _AccentTable(dict[int, str | None]):
    """For str.translate(): letters without marks, each worked out when it is first met.

    Marks come off Latin and Greek letters, and off Devanagari ones the nukta; no others, since й is not и.
    """

    def __init__(self, own_letters: str) -> None:
        super().__init__(
            {ord(letter): bare for letter, bare in _UNDIVIDED.items() if letter not in own_letters}
        )
        self.update(_CANDRABINDU)
        self.update((ord(letter), letter) for letter in own_letters)

    def __missing__(self, code: int) -> str | None:
        bare: str | None = chr(code)
        if _is_mark(chr(code)):
            bare = None
        elif code < 0x400 or 0x900 <= code < 0x980 or 0x1E00 <= code < 0x2000:
            bare = "".join(part for part in unicodedata.normalize("NFD", chr(code)) if not _is_mark(part))
        self[code] = bare
        return bare


def unaccented_variants(word: str, language: str) -> Iterator[str]:
    """Yields the folded word as it may be typed in the language without accents; nothing if it has none."""
    if word.isascii():
        return
    bare = word.translate(_bare_table(_OWN_LETTERS.get(language, "")))
    if bare != word:
        yield bare
    if language == "de" and (transcribed := word.translate(_GERMAN)) != word:
        yield transcribed


def simplify_letters(text: str) -> str:
    """Simplifies letters, one for one: lower case, no accents; for where words are looked for roughly."""
    return text.lower() if text.isascii() else text.translate(_SIMPLE)


def _is_mark(letter: str) -> bool:
    return "\u0300" <= letter <= "\u036f" or letter == _NUKTA


@cache
def _bare_table(own_letters: str) -> _AccentTable:
    return _AccentTable(own_letters)


class _SimpleTable(_AccentTable):
    """One letter for one, so that places in the text hold; spelled as the index spells it."""

    def __missing__(self, code: int) -> str | None:
        small = chr(code).lower()[0]  # İ is two in lower case
        bare = small.translate(LETTERS).translate(_bare_table(""))
        self[code] = (bare or small)[0]
        return self[code]


_SIMPLE = _SimpleTable("")
_SIMPLE.update({code: bare[0] for code, bare in _SIMPLE.items() if bare})
