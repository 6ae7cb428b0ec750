"""Reads a term's postings in blocks of neighbouring documents, with a bound of what the best of each scores.

So what cannot be among the best is never unpacked (as block-max indexes that go by documents have it:
Dimopoulos, Nepomnyachiy and Suel, "Optimizing top-k document retrieval strategies for block-max indexes",
WSDM 2013). Bounds are found when a term is first asked for, in one walk through its postings, and cached.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.index.reader import (
    BODY_MARK,
    EXACT_MARK,
    LEAF,
    MARKS,
    OWN_MARK,
    Documents,
    Leaf,
    LeafArrays,
    Scores,
)
from engine.index.scoring.bm25f import LEAST, NORMS, count_documents, read_documents, read_rows, weigh
from engine.kernels import F32, I32, I64, Number, compiled, inlined, mutable, readonly, tuple_of

FEW = 1 << 15  # documents: a segment that has no more is one block
BLOCK_BITS = 10  # of the number of documents in a block: its sums stay in the processor's first cache
MAX_BLOCKS = 1 << 11  # blocks of a segment at most; those of a larger one are longer
MOST_KEPT = 1 << 14  # postings of a term; those of one that has more are read whenever they are needed
START, BEFORE, BOUND = range(3)  # rows of TermLists.blocks
_AT_ONCE = 1 << 10  # postings
_SEEN = MARKS + 1  # beside a document's marks: it was counted


class DocumentCounts(NamedTuple):
    """How many documents hold something: in their own text, the word itself, in their body, and anywhere."""

    own: int
    exact: int
    in_body: int
    all: int


NO_COUNTS = DocumentCounts(0, 0, 0, 0)


class TermLists(NamedTuple):
    """The posting lists of a word's terms in one segment, one after the other as in Lists: joined when the
    word is read, so that a query has only words to join.

    `kept` (2, postings): documents, and as bits their marked weights; of no long list. `at`: of each list
    where it begins in `kept`, -1 where it is not, its first posting, and the share that it counts.
    `blocks` (lists, 3, blocks + 1): for each block, and behind the last, how many postings are before it
    (START) and the document of the last of these (BEFORE; -1: none); and, as bits, the highest weight in it
    (BOUND), as if the list counted whole.
    """

    kept: NDArray[np.int32]
    at: tuple[tuple[int, int, float], ...]
    blocks: NDArray[np.int32]

    def may_contain(self, documents: Documents) -> bool:
        """Tells whether some of these documents are in a list; of a long one it is not known."""
        return len(documents) > 0 and any(
            begin < 0 or _has_some(self.kept[0, begin : begin + int(blocks[START, -1])], documents)
            for (begin, _, _), blocks in zip(self.at, self.blocks, strict=True)
        )

    @property
    def nbytes(self) -> int:
        """The memory that it takes."""
        return self.kept.nbytes + self.blocks.nbytes


NO_LISTS = TermLists(np.empty((2, 0), np.int32), (), np.empty((0, 3, 0), np.int32))


def read_terms(
    leaf: Leaf, norms: Scores, kind: int, field: str, terms: Iterable[tuple[str, float]]
) -> tuple[TermLists, DocumentCounts]:
    """Reads the postings of terms, each with the share that it counts, by one kind of norms.

    The counts are of the documents that have any of them; one has the word itself (DocumentCounts.exact) by a
    term that counts whole.
    """
    there = [(number, share) for term, share in terms if (number := leaf.number(field, term)) >= 0]
    if not there:
        return NO_LISTS, NO_COUNTS
    places = [leaf.dictionary.postings(number) for number, _ in there]
    shares = np.array([share for _, share in there], np.float32)
    bits = block_bits(leaf.size)
    kept, blocks, counts = _walk_postings(leaf.arrays, norms, kind, np.array(places), shares, MOST_KEPT, bits)
    at, begin = list[tuple[int, int, float]](), 0
    for (start, end), (_, share) in zip(places, there, strict=True):
        is_kept = end - start <= MOST_KEPT
        at.append((begin if is_kept else -1, start, share))
        begin += end - start if is_kept else 0
    return TermLists(kept, tuple(at), blocks), DocumentCounts(*counts.tolist())


def block_bits(size: int) -> int:
    """Returns the size of a block, as a power of two, in a segment of so many documents."""
    least = BLOCK_BITS if size > FEW else FEW.bit_length()
    return max(least, ((size - 1) // MAX_BLOCKS).bit_length())


def count_blocks(size: int, bits: int) -> int:
    """Counts the blocks of a segment of so many documents."""
    return ((size - 1) >> bits) + 1


@compiled(mutable(I32, 2)(readonly(I32), readonly(F32), I64, I64))
def make_blocks(documents: Documents, scores: Scores, bits: Number, count: Number) -> NDArray[np.int32]:
    """Makes so many blocks, as TermLists has them, of documents that are kept with their scores."""
    blocks = np.zeros((3, count + 1), np.int32)
    starts, bounds = blocks[START], blocks[BOUND].view(np.float32)
    for at in range(len(documents)):
        block = documents[at] >> bits
        starts[block + 1] += 1
        bounds[block] = max(bounds[block], scores[at])
    for block in range(count):
        starts[block + 1] += starts[block]
    return blocks


@inlined
def _fill_blocks(
    blocks: NDArray[np.int32],
    documents: Documents,
    weights: Scores,
    done: Number,
    bits: Number,
    before: Number,
) -> None:
    """Fills in the blocks of a list's next documents, behind `done` others of which `before` is the last."""
    bounds, block, last = blocks[BOUND].view(np.float32), before >> bits, before
    for at in range(len(documents)):
        document = np.int64(documents[at])
        while block < document >> bits:
            block += 1
            blocks[START, block], blocks[BEFORE, block] = done + at, last
        bounds[block] = max(bounds[block], weights[at])
        last = document


@inlined
def _count_new(
    documents: Documents, weights: Scores, share: Number, seen: NDArray[np.uint8], counts: NDArray[np.int64]
) -> None:
    """Counts a term's documents, as DocumentCounts, by the marks that earlier terms have not counted; `seen`
    has these of each document of the segment, and is empty where there is but one term.
    """
    bits = weights.view(np.uint32)
    for at in range(len(documents)):
        if weights[at] * share >= LEAST:
            marks = np.int64(bits[at]) & MARKS
            new = (marks if share == 1 else marks & ~EXACT_MARK) | _SEEN
            if len(seen) > 0:
                new &= ~np.int64(seen[documents[at]])
                seen[documents[at]] |= np.uint8(new)
            counts[0] += new & OWN_MARK != 0
            counts[1] += new & EXACT_MARK != 0
            counts[2] += new & BODY_MARK != 0
            counts[3] += new & _SEEN != 0


@compiled(
    tuple_of(mutable(I32, 2), mutable(I32, 3), mutable(I64))(
        LEAF, NORMS, I64, readonly(I64, 2), readonly(F32), I64, I64
    )
)
def _walk_postings(
    leaf: LeafArrays,
    norms: Scores,
    kind: Number,
    places: NDArray[np.int64],
    shares: Scores,
    most_kept: Number,
    bits: Number,
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int64]]:
    """Reads the postings of terms: those that are kept, and blocks, as TermLists has them; and how many
    documents hold any of the terms, as DocumentCounts.
    """
    sizes = places[:, 1] - places[:, 0]
    kept, begin = np.empty((2, sizes[sizes <= most_kept].sum()), np.int32), np.int64(0)
    every = np.zeros((len(shares), 3, ((count_documents(leaf) - 1) >> bits) + 2), np.int32)
    room, room_for_weights = np.empty((2, _AT_ONCE), np.int32), np.empty(_AT_ONCE, np.float32)
    seen = np.zeros(count_documents(leaf) if len(shares) > 1 else 0, np.uint8)
    counts = np.zeros(4, np.int64)
    for term in range(len(shares)):
        place, size, blocks, before = places[term, 0], sizes[term], every[term], np.int64(-1)
        blocks[BEFORE] = -1
        for done in range(0, size, _AT_ONCE):
            count = min(_AT_ONCE, size - done)
            documents, rows, weights = room[0, :count], room[1, :count], room_for_weights[:count]
            read_documents(leaf, place + done, count, before, documents)
            read_rows(leaf, place + done, rows)
            weigh(leaf, norms, kind, documents, rows, count, weights)
            _fill_blocks(blocks, documents, weights, done, bits, before)
            _count_new(documents, weights, shares[term], seen, counts)
            if size <= most_kept:
                kept[0, begin : begin + count] = documents
                kept[1, begin : begin + count] = weights.view(np.int32)
                begin += count
            before = np.int64(documents[count - 1])
        blocks[START, (before >> bits) + 1 :] = size
        blocks[BEFORE, (before >> bits) + 1 :] = before
    return kept, every, counts


def _has_some(held: Documents, documents: Documents) -> bool:
    at = held.searchsorted(documents)
    return len(held) > 0 and bool((held.take(at, mode="clip") == documents).any())
