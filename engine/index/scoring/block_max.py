"""Reads a term's postings in blocks of neighbouring documents, with a bound of what the best of each scores.

So what cannot be among the best is never unpacked (as block-max indexes that go by documents have it:
Dimopoulos, Nepomnyachiy and Suel, "Optimizing top-k document retrieval strategies for block-max indexes",
WSDM 2013). Bounds are found when a term is first asked for, in one walk through its postings, and cached.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.index.reader import BODY_MARK, EXACT_MARK, LEAF, OWN_MARK, Documents, Leaf, LeafArrays, Scores
from engine.index.scoring.bm25f import LEAST, NORMS, count_documents, read_documents, read_rows, weigh
from engine.kernels import F32, I32, I64, Number, compiled, mutable, readonly, tuple_of

FEW = 1 << 15  # documents: a segment that has no more is one block
BLOCK_BITS = 10  # of the number of documents in a block: its sums stay in the processor's first cache
MAX_BLOCKS = 1 << 11  # blocks of a segment at most; those of a larger one are longer
MOST_KEPT = 1 << 14  # postings of a term; those of one that has more are read whenever they are needed
START, BEFORE, BOUND = range(3)  # rows of Listed.blocks
_AT_ONCE = 1 << 10  # postings


class DocumentCounts(NamedTuple):
    """How many documents hold something: in their own text, the word itself, in their body, and anywhere."""

    own: int
    exact: int
    in_body: int
    all: int


NO_COUNTS = DocumentCounts(0, 0, 0, 0)


class Listed(NamedTuple):
    """A term's postings `place`, place + 1 ... of a segment: their documents, ascending, and marked weights.

    `blocks` (3, blocks + 1): for each block, and behind the last, how many postings are before it (START) and
    the document of the last of these (BEFORE; -1: none); and, as bits, the highest weight in it (BOUND). Of a
    long list documents and weights are not kept: they are empty.
    """

    place: int
    documents: Documents
    weights: Scores
    blocks: NDArray[np.int32]
    counts: DocumentCounts

    @property
    def is_kept(self) -> bool:
        """Whether it has its documents and weights."""
        return self.documents.size == int(self.blocks[START, -1])


def read_term(leaf: Leaf, norms: Scores, kind: int, field: str, term: str) -> Listed | None:
    """Reads the postings of a term with one kind of norms; None where the segment has none."""
    if (number := leaf.number(field, term)) < 0:
        return None
    start, end = leaf.dictionary.postings(number)
    bits, kept = block_bits(leaf.size), end - start if end - start <= MOST_KEPT else 0
    found = _walk_postings(leaf.arrays, norms, kind, start, end - start, kept, bits)
    documents, weights, blocks, counts = found
    return Listed(start, documents, weights, blocks, DocumentCounts(*counts))


def block_bits(size: int) -> int:
    """Returns the size of a block, as a power of two, in a segment of so many documents."""
    least = BLOCK_BITS if size > FEW else FEW.bit_length()
    return max(least, ((size - 1) // MAX_BLOCKS).bit_length())


def count_blocks(size: int, bits: int) -> int:
    """Counts the blocks of a segment of so many documents."""
    return ((size - 1) >> bits) + 1


@compiled(mutable(I32, 2)(readonly(I32), readonly(F32), I64, I64))
def make_blocks(documents: Documents, scores: Scores, bits: Number, count: Number) -> NDArray[np.int32]:
    """Makes so many blocks, as Listed has them, of documents that are kept with their scores."""
    blocks = np.zeros((3, count + 1), np.int32)
    starts, bounds = blocks[START], blocks[BOUND].view(np.float32)
    for at in range(len(documents)):
        block = documents[at] >> bits
        starts[block + 1] += 1
        bounds[block] = max(bounds[block], scores[at])
    for block in range(count):
        starts[block + 1] += starts[block]
    return blocks


@compiled(
    tuple_of(mutable(I32), mutable(F32), mutable(I32, 2), tuple_of(I64, I64, I64, I64))(
        LEAF, NORMS, I64, I64, I64, I64, I64
    )
)
def _walk_postings(
    leaf: LeafArrays,
    norms: Scores,
    kind: Number,
    place: Number,
    size: Number,
    kept: Number,
    block_bits: Number,
) -> tuple[Documents, Scores, NDArray[np.int32], tuple[Number, Number, Number, Number]]:
    """Reads so many postings from a place on: documents and weights, of which all or none are kept, blocks,
    and how many documents hold the term, as DocumentCounts.
    """
    kept_documents, kept_weights = np.empty(kept, np.int32), np.empty(kept, np.float32)
    blocks = np.zeros((3, ((count_documents(leaf) - 1) >> block_bits) + 2), np.int32)
    blocks[BEFORE] = -1
    bounds = blocks[BOUND].view(np.float32)
    documents, rows = np.empty(_AT_ONCE, np.int32), np.empty(_AT_ONCE, np.int32)
    weights = np.empty(_AT_ONCE, np.float32)
    bits = weights.view(np.uint32)
    own, exact, in_body, all_ = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    before, block = np.int64(-1), np.int64(-1)
    for done in range(0, size, _AT_ONCE):
        count = min(_AT_ONCE, size - done)
        read_documents(leaf, place + done, count, before, documents)
        read_rows(leaf, place + done, rows[:count])
        weigh(leaf, norms, kind, documents, rows, count, weights)
        for at in range(count):
            document, weight, marks = np.int64(documents[at]), weights[at], np.int64(bits[at])
            while block < document >> block_bits:
                block += 1
                blocks[START, block], blocks[BEFORE, block] = done + at, before
            bounds[block] = max(bounds[block], weight)
            before = document
            if weight >= LEAST:
                own += marks & OWN_MARK != 0
                exact += marks & EXACT_MARK != 0
                in_body += marks & BODY_MARK != 0
                all_ += 1
        if kept:
            kept_documents[done : done + count] = documents[:count]
            kept_weights[done : done + count] = weights[:count]
    blocks[START, block + 1 :] = size
    blocks[BEFORE, block + 1 :] = before
    return kept_documents, kept_weights, blocks, (own, exact, in_body, all_)
