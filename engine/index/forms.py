"""Forms of words: which of the best texts have a word as it was typed, or one that begins like it.

Stems find, forms order: a text with the very form is nearer to what was meant; and where a stemmer
takes too little, or knows too little of a language, words of one family still begin with the same
letters. So a document keeps its forms as numbers in a column, which takes a fraction of the time and
room of postings, and only those of the best texts are read.
"""

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from engine.text.alphabet import MARKS, fold
from engine.text.analysis import MAX_TERM, spell
from engine.text.words import has_spaceless

BEGINNING = 5  # letters that a family of words shares; four or six gain less
MAX_FORMS = 20_000  # of one document, those that it has most often: 100 kB; a long page has 5,000
MAX_COUNT = 255  # occurrences told apart; saturated long before
MAX_KNOWN = 60_000  # words remembered, some 15 MB
_WORD = re.compile(rf"[^\W_](?:[^\W_]|[{MARKS}\u00ad\u200c\u200d\u2060])*")
_NUMBER, _COUNT = np.dtype("<u4"), np.dtype("u1")


def packed(text: str) -> bytes:
    """The forms in a text, and beginnings of longer ones: their numbers, ascending, then how often each."""
    counts: Counter[int] = Counter()
    for word, count in Counter(_WORD.findall(fold(text))).items():
        for number in numbers(word) if len(word) <= MAX_TERM else ():
            counts[number] += count
    kept = sorted(counts.most_common(MAX_FORMS))
    found = np.array([number for number, _ in kept], _NUMBER)
    often = np.array([min(count, MAX_COUNT) for _, count in kept], _COUNT)
    return found.tobytes() + often.tobytes()


def amounts(kept: bytes, wanted: NDArray[np.uint32]) -> NDArray[np.uint8]:
    """How often a document has each of the forms with these numbers; `kept` is what packed() gave."""
    size = len(kept) // (_NUMBER.itemsize + _COUNT.itemsize)
    if not size:
        return np.zeros(len(wanted), _COUNT)
    found = np.frombuffer(kept, _NUMBER, size)
    often = np.frombuffer(kept, _COUNT, size, found.nbytes)
    at = np.minimum(np.searchsorted(found, wanted), size - 1)
    return np.where(found[at] == wanted, often[at], _COUNT.type(0))


@lru_cache(maxsize=MAX_KNOWN)
def numbers(word: str) -> Sequence[int]:
    """The number of a folded word's form, and that of its beginning where it is longer than one.

    None for no word, and for scripts written without spaces: what is a word of theirs is not known.
    """
    if not word or has_spaceless(word):
        return ()
    form = spell(word)
    if len(form) <= BEGINNING or form[0].isdigit():
        return (crc32(form.encode()),)
    return (crc32(form.encode()), crc32(b"^" + form[:BEGINNING].encode()))
