"""Finds the words of a segment that are nearly like a given one.

Words in order share their beginnings, so what was compared of one holds for the next, and where a beginning
is too different all words that have it are passed over at a glance. Nothing is kept on the disk for this.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.index.reader import Leaf
from engine.index.schema import FORMS
from engine.kernels import I64, U8, U16, Number, compiled, inlined, mutable, readonly
from engine.text.analysis import MAX_TERM

MAX_LETTERS = 2 * MAX_TERM  # UTF-16 units of a form
MAX_ALIKE = 4_096  # words of a segment, two edits from one; there are some hundred unless it is very short
MAX_STEPS = 1_000_000  # letters looked at in one walk
_NEVER = 1 << 30  # letters: of no word is the beginning too different


class Vocabulary(NamedTuple):
    """The forms of a segment in order: UTF-16 units, where each ends, how many of its first units the one
    before has as well, and how many documents have it, deleted ones included.
    """

    letters: NDArray[np.uint16]
    ends: NDArray[np.int64]
    shared: NDArray[np.uint8]
    counts: NDArray[np.int64]

    @property
    def nbytes(self) -> int:
        """The memory that it takes."""
        return sum(part.nbytes for part in self)

    def find_similar(self, word: str, edits: int) -> dict[str, tuple[int, int]]:
        """Finds forms at most so many edits from the word, at most MAX_ALIKE: how many, and in how many
        documents.

        An edit takes a letter away, adds or replaces one, or swaps two neighbours (each letter once).
        """
        wanted = _encode_units(word)
        if len(wanted) > MAX_LETTERS:
            return {}
        numbers, distances = np.empty(MAX_ALIKE, np.int64), np.empty(MAX_ALIKE, np.int64)
        found = _find_near(self.letters, self.ends, self.shared, wanted, edits, numbers, distances)
        return {
            self.form(number): (distance, int(self.counts[number]))
            for number, distance in zip(numbers[:found].tolist(), distances[:found].tolist(), strict=True)
        }

    def form(self, number: int) -> str:
        """Decodes the form at a place."""
        start = int(self.ends[number - 1]) if number else 0
        return self.letters[start : int(self.ends[number])].tobytes().decode("utf-16-le", "replace")


def read_vocabulary(leaf: Leaf) -> Vocabulary:
    """Reads the forms of a segment. Raises DamagedError."""
    numbers = leaf.numbers_with_prefix(FORMS, "")
    terms = leaf.dictionary.between(numbers.start, numbers.stop).octets.tobytes().decode("utf-8", "replace")
    words = [term[1:] for term in terms.split("\n")[:-1]]  # each has its group before it
    return build_vocabulary(words, leaf.dictionary.counts(numbers.start, numbers.stop))


def build_vocabulary(words: Sequence[str], counts: NDArray[np.int64]) -> Vocabulary:
    """Builds a vocabulary of words side by side; those with the same beginning follow each other."""
    letters = _encode_units("".join(words))
    sizes = np.fromiter(map(len, words), np.int64, len(words))
    if len(letters) != sizes.sum():  # some letters are not of the first plane
        sizes = np.fromiter((len(_encode_units(word)) for word in words), np.int64, len(words))
    ends = np.cumsum(sizes)
    return Vocabulary(letters, ends, _count_shared(letters, ends), counts)


def _encode_units(text: str) -> NDArray[np.uint16]:
    return np.frombuffer(text.encode("utf-16-le", "surrogatepass"), np.uint16)


@compiled(mutable(U8)(readonly(U16), readonly(I64)))
def _count_shared(letters: NDArray[np.uint16], ends: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Counts how many of its first letters each word shares with the one before."""
    shared = np.zeros(len(ends), np.uint8)
    before, start = 0, 0
    for number in range(len(ends)):
        most = min(start - before, ends[number] - start, 255)
        same = 0
        while same < most and letters[before + same] == letters[start + same]:
            same += 1
        shared[number] = same
        before, start = start, ends[number]
    return shared


@inlined
def _fill_row(
    rows: NDArray[np.int64],
    depth: Number,
    letters: NDArray[np.uint16],
    wanted: NDArray[np.uint16],
    edits: Number,
) -> bool:
    """Fills one more row of the table of distances (optimal string alignment), of which only what is at most
    `edits` from the diagonal is looked at; returns whether anything in it is as near.
    """
    size, far, is_near = len(wanted), edits + 1, False
    for at in range(max(depth - edits, 0), min(depth + edits, size) + 1):
        near = rows[depth - 1, at] + 1 if at < depth + edits else far
        if at > 0:
            near = min(near, rows[depth - 1, at - 1] + (wanted[at - 1] != letters[depth - 1]))
            if at > depth - edits:
                near = min(near, rows[depth, at - 1] + 1)
        if at > 1 and depth > 1 and _are_swapped(wanted, at, letters, depth):
            near = min(near, rows[depth - 2, at - 2] + 1)
        rows[depth, at] = min(near, far)
        is_near |= near < far
    return is_near


@inlined
def _are_swapped(one: NDArray[np.uint16], behind: Number, other: NDArray[np.uint16], end: Number) -> bool:
    """Tells whether the two letters before these places are the same the other way round."""
    return bool(one[behind - 2] == other[end - 1] and one[behind - 1] == other[end - 2])


@compiled(I64(readonly(U16), readonly(I64), readonly(U8), readonly(U16), I64, mutable(I64), mutable(I64)))
def _find_near(
    letters: NDArray[np.uint16],
    ends: NDArray[np.int64],
    shared: NDArray[np.uint8],
    wanted: NDArray[np.uint16],
    edits: Number,
    numbers: NDArray[np.int64],
    distances: NDArray[np.int64],
) -> int:
    """Fills in the places of words so near to the wanted one, and how near; returns how many."""
    size, far = len(wanted), edits + 1
    rows = np.full((size + far + 1, size + 1), far, np.int64)  # a word with more letters is too far away
    rows[0, :far] = np.arange(min(far, size + 1))
    known, dead, found, steps = 0, _NEVER, 0, 0
    for number in range(len(ends)):
        if shared[number] >= dead:
            continue
        start = ends[number - 1] if number else 0
        length, depth, dead = ends[number] - start, min(known, shared[number]), _NEVER
        while depth < length and dead == _NEVER:
            depth += 1
            if not _fill_row(rows, depth, letters[start : start + depth], wanted, edits):
                dead = depth  # whatever follows these letters
        steps += depth - min(known, shared[number])
        known = depth
        if dead == _NEVER and rows[length, size] < far:
            numbers[found], distances[found] = number, rows[length, size]
            found += 1
        if found == len(numbers) or steps > MAX_STEPS:
            break
    return found
