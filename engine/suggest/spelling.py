"""Corrects spelling: replaces rare words by similar, much more frequent ones."""

import re

from engine.index.lexicon import Lexicon
from engine.index.query import MAX_QUERY_CHARS, form_of, parse_query
from engine.index.searching import Snapshot
from engine.suggest.keyboard import retype
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
    [there] = count_hits(snapshot, typed)
    known = 0 if there else _count_known_words(snapshot, typed)
    if not there and not known:
        ways = list(retype(typed))
        found = dict(zip(ways, count_hits(snapshot, *ways), strict=True))
        if any(found.values()):
            return max(found, key=found.__getitem__)
    meant = correct_words(snapshot, typed)
    if meant == typed:
        return ""
    if not there and _count_known_words(snapshot, meant) > known:
        return meant
    [found_then] = count_hits(snapshot, meant)
    return meant if found_then > there else ""


def correct_words(snapshot: Snapshot, typed: str) -> str:
    """Corrects each word that has a better one, of the first MAX_MENDED that find very few documents."""
    left, lexicon = iter(range(MAX_MENDED)), snapshot.lexicon
    words = _list_doubtful(typed)
    counts = dict(zip(words, count_hits(snapshot, *words), strict=True))

    def of_word(match: re.Match[str]) -> str:
        word = match[0]
        there = counts.get(word)
        if there is None or there > VERY_FEW or next(left, None) is None:
            return word
        if not (form := form_of(fold(word))):  # as of a script that has no spaces between words
            return word
        return _find_correction(lexicon, form, there) or ("" if there else _split_word(lexicon, form)) or word

    def of_token(match: re.Match[str]) -> str:
        return match[0] if _SAID.match(match[0]) else _WORD.sub(of_word, match[0])

    return _TOKEN.sub(of_token, typed)


def _list_doubtful(typed: str) -> list[str]:
    """Lists the words that may be misspelled."""
    tokens = [token for token in _TOKEN.findall(typed) if not _SAID.match(token)]
    words = [word for token in tokens for word in _WORD.findall(token)]
    return [word for word in words if len(word) >= MIN_LETTERS and not _DIGIT.search(word)]


def count_hits(snapshot: Snapshot, *typed: str) -> list[int]:
    """Counts for each of these queries the documents that match the whole of it."""
    languages, numbers = snapshot.languages, snapshot.numbers
    return snapshot.count_hits([parse_query(one, languages, numbers).query for one in typed])


def _count_known_words(snapshot: Snapshot, typed: str) -> int:
    """Counts those of the first MAX_MENDED words that some document has."""
    return sum(count > 0 for count in count_hits(snapshot, *typed.split()[:MAX_MENDED]))


def _find_correction(lexicon: Lexicon, form: str, there: int) -> str:
    """Finds the word that was meant, '' where there is none: the nearest, and of these the likeliest.

    `there` is how many documents have the word as it is; if there are some, one edit is all it may take.
    """
    for edits in (1, 2) if len(form) >= LONG and not there else (1,):
        near = lexicon.find_similar(form, edits)
        words = (one for one in near if not _DIGIT.search(one))
        best = min(words, key=lambda one: (-near[one] * _edit_likelihood(form, one), one), default="")
        if best and near[best] >= TIMES_MORE * there:
            return best
    return ""


def _edit_likelihood(form: str, meant: str) -> int:
    """Returns how much likelier it is than by a wrong letter that the one was typed for the other."""
    is_sure = len(meant) > len(form) or sorted(meant) == sorted(form)
    return SURELY if is_sure else 1


def _split_word(lexicon: Lexicon, form: str) -> str:
    """Splits two words that were typed as one: of all pairs the one whose rarer word most documents have, ''
    where those are VERY_FEW.
    """
    cuts = range(MIN_LETTERS, len(form) - MIN_LETTERS + 1)
    counts = lexicon.count_forms([part for at in cuts for part in (form[:at], form[at:])])
    found = {
        at: min(pair) for at, pair in zip(cuts, zip(counts[::2], counts[1::2], strict=True), strict=True)
    }
    best = max(found, key=found.__getitem__, default=0)
    return f"{form[:best]} {form[best:]}" if best and found[best] > VERY_FEW else ""
