"""Stems words by Snowball's algorithm for their language."""

from collections.abc import Callable

import Stemmer

from engine.text.analysis.alphabet import ARABIC

STEMMERS = {
    "ar": "arabic",
    "ca": "catalan",
    "cs": "czech",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "eo": "esperanto",
    "es": "spanish",
    "et": "estonian",
    "eu": "basque",
    "fa": "persian",
    "fi": "finnish",
    "fr": "french",
    "ga": "irish",
    "hi": "hindi",
    "hu": "hungarian",
    "hy": "armenian",
    "id": "indonesian",
    "it": "italian",
    "lt": "lithuanian",
    "nb": "norwegian",
    "ne": "nepali",
    "nl": "dutch",
    "nn": "norwegian",
    "no": "norwegian",
    "pl": "polish",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sr": "serbian",
    "st": "sesotho",
    "sv": "swedish",
    "ta": "tamil",
    "tr": "turkish",
    "yi": "yiddish",
}
"""ISO 639-1 -> Snowball algorithm. A language that is not here keeps its words unstemmed."""

DOTLESS = {"az": str.maketrans("Iİ", "ıi"), "tr": str.maketrans("Iİ", "ıi")}
"""Languages in which a capital I is the letter without a dot."""

BEGIN_OTHERWISE = frozenset(["de", "eo", "fi", "ga", "id", "nl", "sr", "st", "tr"])
"""Languages in which a term may begin with other letters than its word: Snowball takes what stands before a
stem off, or writes one letter for two.
"""

Stem = Callable[[str], str]


def stemming_language(language: str) -> str:
    """Returns the language in whose way words are spelled: "" for all of which nothing is known."""
    return language if language in STEMMERS or language in DOTLESS else ""


def load_stemmer(language: str) -> Stem:
    """Loads Snowball's stemmer, on the letters that it knows; none where the installed Snowball has none."""
    algorithm = STEMMERS.get(language, "")
    if algorithm not in Stemmer.algorithms():
        return str
    stem: Stem = Stemmer.Stemmer(algorithm, 0).stemWord  # no memory of its own: ours stands before it
    return (lambda word: stem(word.translate(ARABIC))) if language == "ar" else stem
