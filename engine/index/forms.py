"""Forms of words: which texts have a word as it was typed, or one that begins like it.

Stems find, forms order: a text with the very form is nearer to what was meant; and where a stemmer
takes too little, or knows too little of a language, words of one family still begin with the same
letters. So the forms of a document are terms of a field of their own, without positions.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from engine.text.alphabet import MARKS, fold
from engine.text.analysis import MAX_TERM, spell
from engine.text.words import has_spaceless

BEGINNING = 5  # letters that a family of words shares; four or six gain less
MAX_KNOWN = 60_000  # words remembered, some 15 MB
_WORD = re.compile(rf"[^\W_](?:[^\W_]|[{MARKS}\u00ad\u200c\u200d\u2060])*")


def forms(text: str) -> Iterator[str]:
    """The forms in a text, one for each word."""
    return filter(None, map(form, _WORD.findall(fold(text))))


@lru_cache(maxsize=MAX_KNOWN)
def form(word: str) -> str:
    """The form of a folded word.

    '' for no word, for keys and digests, and for scripts written without spaces: what is a word of theirs
    is not known.
    """
    return "" if not word or len(word) > MAX_TERM or has_spaceless(word) else spell(word)


def beginning(form: str) -> str:
    """What forms of its family begin with; '' for one that is not longer, and for numbers."""
    return "" if len(form) <= BEGINNING or form[0].isdigit() else form[:BEGINNING]
