"""Finds words that stand side by side, as a phrase has them: a compiled loop."""

from collections.abc import Iterator, Sequence

import numpy as np

from engine.index.stored_pages import Numbers
from engine.kernels import I64, U8, U32, Number, compiled, inlined, mutable, readonly
from engine.text.tokens import KNOWN, MAX_WORD, WORD, Known, Octets, decode_code_point

MAX_GAP = 4  # characters between two words that are beside each other


def find_phrases(
    octets: Octets, columns: Numbers, begins: Numbers, of_words: Sequence[Sequence[int]], number: int
) -> Iterator[Numbers]:
    """Finds each phrase, given by the numbers of its words: columns as those of the words.

    begins: where in the octets each word does; number: the first phrase's, the others count on.
    """
    for phrase, words in enumerate(of_words, number):
        found = np.empty((4, columns.shape[1]), np.int64)
        size = _find_phrase(octets, KNOWN, columns, begins, np.array(words, np.int64), found)
        found[2, :size] = phrase
        yield found[:, :size]


@inlined
def _are_beside(octets: Octets, known: Known, at: Number, there: Number) -> bool:
    """Tells whether from one word to the other there are its letters, and then little that is none."""
    gap = 0
    while at < there and gap <= MAX_GAP:
        code, at = decode_code_point(octets, at)
        if gap > 0 or not known[code] & WORD:
            gap += 1
            if known[code] & WORD:
                gap = MAX_GAP + 1
    return bool(at == there and gap <= MAX_GAP)


@compiled(I64(readonly(U8), readonly(U32), readonly(I64, 2), readonly(I64), readonly(I64), mutable(I64, 2)))
def _find_phrase(
    octets: Octets, known: Known, columns: Numbers, begins: Numbers, phrase: Numbers, found: Numbers
) -> Number:
    """Fills `found` with where the phrase starts and ends, and its section; returns how many there are."""
    count, size = 0, columns.shape[1]
    for first in range(size):
        if columns[2, first] != phrase[0]:
            continue
        last, word = first, 1
        while word < len(phrase):
            other = last + 1
            while other < size and columns[0, other] - columns[0, last] <= MAX_WORD:
                if columns[2, other] == phrase[word] and columns[0, other] > columns[0, last]:
                    break
                other += 1
            if other == size or columns[0, other] - columns[0, last] > MAX_WORD:
                break
            if not _are_beside(octets, known, begins[last], begins[other]):
                break
            last, word = other, word + 1
        if word == len(phrase) and columns[3, first] == columns[3, last]:
            found[0, count], found[1, count] = columns[0, first], columns[1, last]
            found[3, count] = columns[3, first]
            count += 1
    return np.int64(count)
