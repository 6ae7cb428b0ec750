"""Adds what query words count that stand close together.

Of two words of the query that follow each other in a text each gathers as much as the other is rare, less
the farther apart they are; what a word has gathered saturates, as its frequency does in BM25 (Büttcher,
Clarke and Lushman, "Term Proximity Scoring for Ad-Hoc Retrieval on Very Large Text Collections", SIGIR 2006).
So a page that has the words together comes before a long one that has each of them somewhere.

Not theirs: distances are not squared, for that gains less; words that were typed one after the other count
more than any others; and the little words of a sentence stand between no two words.
"""

import re
from collections.abc import Sequence, Set
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.index.query import Word
from engine.index.reader import BODY, FIELD, Scores
from engine.index.schema import LAYOUT, TEXT_FIELDS
from engine.index.scoring.blocks import LISTS, Lists, first_list
from engine.index.scoring.bm25f import limit_stuffing
from engine.kernels import (
    F32,
    I32,
    I64,
    U32,
    Number,
    inlined,
    mutable,
    outlined,
    readonly,
    record_of,
    tuple_of,
)
from engine.segment import POSITION_ARRAYS, PositionArrays, Stands, read_positions
from engine.text.analysis import SPACELESS

REACH = 8  # words; farther apart they say no more together than each says alone
APART = 0.3  # what two words count that were not typed one after the other, to 1 of two that were
SATURATION = 1.0  # what a word gathers when half of what there is to gain is gained
_BODY = LAYOUT.placed_columns.index(TEXT_FIELDS.index(FIELD))
_BODY_MARK = int(BODY)
_GRAM_LENGTH = 2
_GRAM = re.compile(f"[{SPACELESS}]{{1,{_GRAM_LENGTH}}}")
_FAR = 1 << 30  # behind all places of a text
_ONE = np.uint64(1)  # unsigned: no check for places from the end

QueryPositions = NDArray[np.int64]
"""For each word of a query which one it is of those whose nearness tells something, -1 for the others."""


class QueryWeights(NamedTuple):
    """What the words of a query count by proximity, in their exact form, and in names."""

    positions: QueryPositions
    rarities: Scores  # how rare each is in bodies
    names: Scores  # its idf in names, 0 if of low weight; below 0: it does not count there
    exact: float  # the weight of an exact form
    k1: float


QUERY_WEIGHTS = record_of(
    QueryWeights, positions=readonly(I64), rarities=readonly(F32), names=readonly(F32), exact=F32, k1=F32
)
"""QueryWeights, for compiled functions."""


class ProximityRoom(NamedTuple):
    """Of each word of a query where the walk through a text is, where it ends, what follows, and what the
    word has gathered.
    """

    heads: NDArray[np.uint64]
    ends: NDArray[np.uint64]
    following: NDArray[np.int32]
    near: NDArray[np.float64]


def number_words(typed: Sequence[Word], low_weight: Set[Word]) -> QueryPositions:
    """Numbers the words of a query, as typed, whose nearness counts; -1 for words of low weight.

    Nor do overlapping pairs of letters, which always stand as they were typed, and what comes twice.
    """
    numbers, count, known = list[int](), 0, set(low_weight)
    for word in typed:
        if word in known or _is_gram(word):
            numbers.append(-1)
        else:
            numbers.append(count)
            known.add(word)
            count += 1
    return np.array(numbers, np.int64)


def _is_gram(word: Word) -> bool:
    for term in word.terms:  # noqa: SIM110 - any() would take twice as long
        if len(term) <= _GRAM_LENGTH and _GRAM.fullmatch(term):
            return True
    return False


@inlined
def _select_postings(
    lists: Lists,
    word: Number,
    places: NDArray[np.int64],
    marks: NDArray[np.uint32],
    several: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Selects the postings of a word in bodies that have another one as well, -1 for the others."""
    first = first_list(lists.ends, word)
    wanted = np.empty((lists.ends[word] - first, places.shape[1]), np.int64)
    for one in range(len(wanted)):
        for at in range(places.shape[1]):
            is_there = several[at] > 1 and marks[word, at] & _BODY_MARK != 0
            wanted[one, at] = places[first + one, at] if is_there else -1
    return wanted


@outlined(
    tuple_of(mutable(I32), mutable(I64, 2))(
        LISTS, POSITION_ARRAYS, readonly(I64, 2), readonly(U32, 2), readonly(I64)
    )
)
def _collect_positions(
    lists: Lists,
    position_arrays: PositionArrays,
    places: NDArray[np.int64],
    marks: NDArray[np.uint32],
    query_positions: QueryPositions,
) -> tuple[Stands, NDArray[np.int64]]:
    """Collects the positions of words in the bodies that have two of them, word after word and text after
    text, and (words, texts + 1) where each of these begins; the last is where the word ends.
    """
    words, size, total = len(query_positions), places.shape[1], np.int64(0)
    several = np.zeros(size, np.int64)
    for word in range(words):
        if query_positions[word] >= 0:
            for at in range(size):
                several[at] += marks[word, at] & _BODY_MARK != 0
    of_words, edges = [np.empty(0, np.int32) for _ in range(words)], np.zeros((words, size + 1), np.int64)
    for word in range(words):
        for at in range(size + 1):
            edges[word, at] = total
        if query_positions[word] >= 0:
            wanted = _select_postings(lists, word, places, marks, several)
            of_words[word], ends = read_positions(position_arrays, wanted, _BODY, _BODY + 1)
            for at in range(size):
                edges[word, at + 1] += ends[at]
            total = edges[word, size]
    found = np.empty(total, np.int32)
    for word in range(words):
        for at in range(edges[word, size] - edges[word, 0]):
            found[edges[word, 0] + at] = of_words[word][at]
    return found, edges


@inlined
def _gather_proximity(
    positions: Stands,
    edges: NDArray[np.int64],
    text: Number,
    length: Number,
    query: QueryWeights,
    room: ProximityRoom,
) -> None:
    """Computes what each word gathers in one text of so many; one that is stuffed into it stands there
    once.
    """
    (heads, ends, following, near), left = room, np.int64(0)
    query_positions, rarities = query.positions, query.rarities
    for word in range(len(query_positions)):
        near[word], following[word], heads[word] = 0, _FAR, edges[word, text]
        often = np.int64(limit_stuffing(edges[word, text + 1] - edges[word, text], length))
        ends[word] = edges[word, text] + often
        if often > 0:
            following[word] = positions[heads[word]]
            left += often
    one, there = np.uint64(0), np.int64(-_FAR)
    for _ in range(left):
        other, here = np.uint64(0), following[0]
        for word in range(1, len(query_positions)):
            if following[word] < here:
                other, here = np.uint64(word), following[word]
        if one != other and 0 < here - there <= REACH:
            share = (1 if abs(query_positions[one] - query_positions[other]) == 1 else APART) / (here - there)
            near[one] += rarities[other] * share
            near[other] += rarities[one] * share
        heads[other] += _ONE
        is_left = heads[other] < ends[other]
        following[other] = positions[heads[other]] if is_left else _FAR
        one, there = other, np.int64(here)


@inlined
def add_proximity(
    lists: Lists,
    position_arrays: PositionArrays,
    places: NDArray[np.int64],
    marks: NDArray[np.uint32],
    query: QueryWeights,
    lengths: Scores,
    gained: Scores,
) -> None:
    """Adds what documents gain by proximity. `places` tells which postings of the lists they have, `marks`
    (words, documents) where the words stand, `lengths` how long the bodies are.
    """
    if np.count_nonzero(query.positions >= 0) > 1:
        positions, edges = _collect_positions(lists, position_arrays, places, marks, query.positions)
        words, rarities = len(query.positions), query.rarities
        near = np.empty(words)
        room = ProximityRoom(
            np.empty(words, np.uint64), np.empty(words, np.uint64), np.empty(words, np.int32), near
        )
        for at in range(len(gained)):
            _gather_proximity(positions, edges, at, lengths[at], query, room)
            for word in range(words):
                most = min(np.float32(1), rarities[word]) * (SATURATION + 1)
                gained[at] += most * near[word] / (SATURATION + near[word])
