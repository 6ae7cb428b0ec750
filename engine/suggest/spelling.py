"""Corrects spelling: replaces rare words by similar, much more frequent ones."""

import re
from collections import Counter
from functools import partial

from engine.index.query import MAX_QUERY_CHARS, form_of, parse_query
from engine.index.schema import FORMS
from engine.index.searching import Snapshot
from engine.suggest.keyboard import retype
from engine.suggest.vocabulary import Vocabulary, read_vocabulary
from engine.text.analysis import MARKS, fold

VERY_FEW = 10  # documents; a query that finds more is not doubted, nor is a word that does
TIMES_MORE = 50  # documents than the typed word has must have the other one: rare words are like others, too
MIN_LETTERS = 3  # of a word; of two letters too many words are two
# A letter that is missing, or two that changed places, can be typed in one way; a wrong one, or one too many,
# in as many as there are letters (Kernighan, Church and Gale, "A spelling correction program based on a noisy
# channel model", COLING 1990): so many times likelier are the first two.
SURELY = 26
LONG = 6  # letters of a word in which two edits are looked for when one brings nothing
MAX_MENDED = 6  # words of a query; bounds its time

_TOKEN = re.compile(r"\S+")
_WORD = re.compile(rf"[^\W_](?:[^\W_]|[{MARKS}])*")
_SAID = re.compile(r"\w+:|-|.*/|(?:AND|OR|NOT)$")  # begins what is no misspelling: an operator, an address
_DIGIT = re.compile(r"\d")


def did_you_mean(snapshot: Snapshot, typed: str) -> str:
    """Suggests the query that was meant, '' where that is what was typed, or where it finds no more
    documents, nor more of its words where no document has all of them.

    With another keyboard layout, where no word of it is found as it is and all are so; else with misspelled
    words mended.
    """
    typed = typed[:MAX_QUERY_CHARS]
    there = count_hits(snapshot, typed)
    known = 0 if there else _count_known_words(snapshot, typed)
    if not there and not known:
        found = {way: count_hits(snapshot, way) for way in retype(typed)}
        if any(found.values()):
            return max(found, key=found.__getitem__)
    meant = correct_words(snapshot, typed)
    if meant == typed:
        return ""
    if not there and _count_known_words(snapshot, meant) > known:
        return meant
    return meant if count_hits(snapshot, meant) > there else ""


def correct_words(snapshot: Snapshot, typed: str) -> str:
    """Corrects each word that has a better one, of the first MAX_MENDED that find very few documents."""
    left = iter(range(MAX_MENDED))

    def of_word(match: re.Match[str]) -> str:
        word = match[0]
        if len(word) < MIN_LETTERS or _DIGIT.search(word):
            return word
        there = count_hits(snapshot, word)
        if there > VERY_FEW or next(left, None) is None:
            return word
        form = form_of(fold(word))
        return (
            _find_correction(snapshot, form, there) or ("" if there else _split_word(snapshot, form)) or word
        )

    def of_token(match: re.Match[str]) -> str:
        return match[0] if _SAID.match(match[0]) else _WORD.sub(of_word, match[0])

    return _TOKEN.sub(of_token, typed)


def count_hits(snapshot: Snapshot, typed: str) -> int:
    """Counts the documents that match the whole query."""
    return snapshot.count_hits(parse_query(typed, snapshot.languages, snapshot.numbers).query)


def _count_known_words(snapshot: Snapshot, typed: str) -> int:
    """Counts those of the first MAX_MENDED words that some document has."""
    return sum(count_hits(snapshot, word) > 0 for word in typed.split()[:MAX_MENDED])


def _find_correction(snapshot: Snapshot, form: str, there: int) -> str:
    """Finds the word that was meant, '' where there is none: the nearest, and of these the likeliest.

    `there` is how many documents have the word as it is; if there are some, one edit is all it may take.
    """
    for edits in (1, 2) if len(form) >= LONG and not there else (1,):
        near = _find_similar(snapshot, form, edits)
        best = min(near, key=lambda one: (-near[one] * _edit_likelihood(form, one), one), default="")
        if best and near[best] >= TIMES_MORE * there:
            return best
    return ""


def _edit_likelihood(form: str, meant: str) -> int:
    """Returns how much likelier it is than by a wrong letter that the one was typed for the other."""
    is_sure = len(meant) > len(form) or sorted(meant) == sorted(form)
    return SURELY if is_sure else 1


def _split_word(snapshot: Snapshot, form: str) -> str:
    """Splits two words that were typed as one: of all pairs the one whose rarer word most documents have, ''
    where those are VERY_FEW.
    """
    found: dict[str, int] = {}
    for at in range(MIN_LETTERS, len(form) - MIN_LETTERS + 1):
        parts = form[:at], form[at:]
        found[" ".join(parts)] = min(len(snapshot.reader.documents_with_term(FORMS, part)) for part in parts)
    best = max(found, key=found.__getitem__, default="")
    return best if best and found[best] > VERY_FEW else ""


def _find_similar(snapshot: Snapshot, form: str, edits: int) -> Counter[str]:
    """Finds words without digits at most so many edits from a form, with how many documents have each."""
    near: Counter[str] = Counter()
    for words in _read_vocabularies(snapshot):
        for other, (_, count) in words.find_similar(form, edits).items():
            if not _DIGIT.search(other):
                near[other] += count
    return near


def _read_vocabularies(snapshot: Snapshot) -> list[Vocabulary]:
    """Reads the vocabularies of the segments when they are first asked for."""
    cache = snapshot.reader.cache
    return [
        cache.get((member.name, "vocabulary"), partial(read_vocabulary, member.leaf))
        for member in snapshot.reader.members
    ]
