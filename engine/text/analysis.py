"""Text -> terms: what a word is, how the index spells it, where it stands in the text.

Tokens do not depend on the language, only the last step, the stem, does. So a query is cut
once, and each of its tokens can be looked up as every language present would have indexed it.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from unicodedata import normalize

import Stemmer

from engine.text.alphabet import ARABIC, LETTERS, MARKS, SPACELESS, fold, fold_with_offsets

MAX_TERM = 64  # characters; what is longer is a key or a digest, and its beginning will do
MAX_KNOWN = 2_000_000  # characters of tokens remembered per language: some 250,000 words, 40 MB

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

_WORD = re.compile(rf"\w[\w{MARKS}\u00ad\u200c\u200d\u2060]*")
_ASCII_WORD = {code: chr(code).lower() if re.match(r"\w", chr(code)) else " " for code in range(128)}
_SPACELESS = re.compile(f"[{SPACELESS}]")
_ASCII_STRETCH = re.compile(r"\s[\x00-\x7f]{60,}\s")  # shorter ones are not worth the cut
_STRETCH = re.compile(f"[{SPACELESS}]+|[^{SPACELESS}]+")

Stem = Callable[[list[str]], list[str]]


def analyse(text: str, language: str) -> list[str]:
    """The terms of a text in order: the place of a term in the list is its position."""
    return _terms(language).of(_tokens(text))


def query_terms(typed: str, languages: Iterable[str]) -> list[frozenset[str]]:
    """For each token typed, in order, the terms it may be indexed as: as it is, or as a language stems it."""
    tokens = _tokens(typed)
    ways = [_terms(language).of(tokens) for language in {"", *languages}]
    return [frozenset(terms) for terms in zip(*ways, strict=True)]


def spans(text: str, language: str) -> Iterator[tuple[str, int, int]]:
    """The terms of analyse(), each with the offsets in `text` where it starts and ends."""
    folded, starts, ends = fold_with_offsets(text)
    places = list(_places(folded))
    terms = _terms(language).of([folded[start:end] for start, end in places])
    for term, (start, end) in zip(terms, places, strict=True):
        yield term, starts[start], ends[end - 1]


def _tokens(text: str) -> list[str]:
    """The words, folded; scripts written without spaces as overlapping pairs of letters."""
    if text.isascii():
        return _ascii_tokens(text)
    tokens: list[str] = []
    end = 0
    for plain in _ASCII_STRETCH.finditer(text):
        tokens += _any_tokens(text[end : plain.start()])
        tokens += _ascii_tokens(plain[0])
        end = plain.end()
    return tokens + _any_tokens(text[end:])


def _ascii_tokens(text: str) -> list[str]:
    """What _any_tokens() finds, in a third of the time."""
    return text.translate(_ASCII_WORD).split()


def _any_tokens(text: str) -> list[str]:
    folded = fold(text)
    if not _SPACELESS.search(folded):
        return _WORD.findall(folded)
    return [folded[start:end] for start, end in _places(folded)]


def _places(folded: str) -> Iterator[tuple[int, int]]:
    """Where each token starts and ends."""
    for stretch in _STRETCH.finditer(folded):
        start, end = stretch.span()
        if _SPACELESS.match(folded, start):
            yield from ((at, min(at + 2, end)) for at in range(start, max(end - 1, start + 1)))
        else:
            yield from (word.span() for word in _WORD.finditer(folded, start, end))


class _Terms:
    """One language's memory of which term a token becomes; words are few, tokens many."""

    def __init__(self, stem: Stem) -> None:
        self.stem = stem
        self.known: dict[str, str] = {}
        self.room = MAX_KNOWN

    def of(self, tokens: list[str]) -> list[str]:
        """The term of each token."""
        known = self.known
        if new := list(set(tokens).difference(known)):
            known.update(zip(new, self.stem(new), strict=True))
            self.room -= sum(map(len, new))
            if self.room < 0:
                self.known, self.room = {}, MAX_KNOWN  # not clear(): another thread may be reading it
        return list(map(known.__getitem__, tokens))


def _terms(language: str) -> _Terms:
    """The memory for a language; languages that share a stemmer, or have none, share one."""
    algorithm = STEMMERS.get(language, "")
    return _terms_by(algorithm if algorithm in Stemmer.algorithms() else "")


@cache
def _terms_by(algorithm: str) -> _Terms:
    if not algorithm:
        return _Terms(_spell)
    stemmer = Stemmer.Stemmer(algorithm, 0)  # no memory of its own: ours stands before it
    alphabet = ARABIC if algorithm == "arabic" else {}

    def stem(tokens: list[str]) -> list[str]:
        return _spell(stemmer.stemWords([word.translate(alphabet) for word in _spell(tokens)]))

    return _Terms(stem)


def _spell(tokens: list[str]) -> list[str]:
    """Each token in the index's spelling; one that consists of what is left out stays as it is."""
    return [_spelled(token[:MAX_TERM]) or token[:MAX_TERM] for token in tokens]


def _spelled(token: str) -> str:
    """Once what stood between a letter and its accent is out, the two are one letter, spelled in turn."""
    return normalize("NFC", token.translate(LETTERS)).translate(LETTERS)
