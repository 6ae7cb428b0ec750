"""Aligns the posting lists of several words in one segment, for loops that go through them block by block."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.index.reader import Documents, LeafArrays, Scores
from engine.index.scoring.block_max import BOUND, NO_LISTS, START, TermLists, block_bits, count_blocks
from engine.index.scoring.bm25f import NORMS, count_documents
from engine.kernels import F32, I32, I64, Number, inlined, mutable, record_of

KEPT_AT, PLACE, KIND = range(3)  # where a kept list begins, -1 for none; its first posting; by which norms
FACTOR, K1 = 0, 1  # of a word: a weight w gives FACTOR * w / (K1 + w); w itself where K1 is below 0


class WordLists(NamedTuple):
    """A word in one segment: its terms' lists, its factor and k1, its kind of norms."""

    lists: TermLists
    factor: float
    k1: float
    kind: int = 0


class Lists(NamedTuple):
    """Lists of several words, those of one after those of another."""

    documents: Documents  # of all that are kept
    weights: Scores
    table: NDArray[np.int64]  # (lists, 3): KEPT_AT, PLACE, KIND
    blocks: NDArray[np.int32]  # (lists, 3, blocks + 1), as TermLists has them
    bounds: Scores  # the same memory: its row BOUND are such numbers
    shares: Scores  # what the weights in a list count
    ends: NDArray[np.int64]  # (words): which of the lists are each word's
    factors: Scores  # (words, 2): FACTOR, K1
    norms: Scores  # of each kind: engine.index.scoring.bm25f.NORMS
    bits: int  # engine.index.scoring.block_max.block_bits()


LISTS = record_of(
    Lists,
    documents=mutable(I32),
    weights=mutable(F32),
    table=mutable(I64, 2),
    blocks=mutable(I32, 3),
    bounds=mutable(F32, 3),
    shares=mutable(F32),
    ends=mutable(I64),
    factors=mutable(F32, 2),
    norms=NORMS,
    bits=I64,
)
"""Lists, for compiled functions."""


def pack_lists(parts: Sequence[WordLists], norms: Scores, size: int) -> Lists:
    """Packs the posting lists of words in one segment."""
    table: list[int] = []
    ends: list[int] = []
    factors: list[float] = []
    shares: list[float] = []
    there: list[TermLists] = []
    begin = 0
    for lists, factor, k1, kind in parts:
        if lists.at:
            for at, place, share in lists.at:
                table += (begin + at if at >= 0 else -1, place, kind)
                shares.append(share)
            begin += lists.kept.shape[1]
            there.append(lists)
        ends.append(len(shares))
        factors += (factor, k1)
    bits = block_bits(size)
    if not there:
        there.append(NO_LISTS._replace(blocks=np.empty((0, 3, count_blocks(size, bits) + 1), np.int32)))
    blocks = np.concatenate([lists.blocks for lists in there])
    documents, weights = np.concatenate([lists.kept for lists in there], axis=1)
    return Lists(
        documents,
        weights.view(np.float32),
        np.array(table, np.int64).reshape(-1, 3),
        blocks,
        blocks.view(np.float32),
        np.array(shares, np.float32),
        np.array(ends, np.int64),
        np.array(factors, np.float32).reshape(-1, 2),
        norms,
        bits,
    )


@inlined
def block_size(lists: Lists, leaf: LeafArrays) -> Number:
    """Returns how many documents a block has at most."""
    return min(np.int64(1) << lists.bits, count_documents(leaf))


@inlined
def first_list(ends: NDArray[np.int64], word: Number) -> Number:
    """Returns the number of a word's first list; those of the next word begin behind its last."""
    return np.int64(ends[word - 1] if word else 0)


@inlined
def block_start(blocks: NDArray[np.int32], at: Number, block: Number) -> Number:
    """Returns how many postings a list has before a block."""
    return np.int64(blocks[at, START, block])


@inlined
def saturate(factor: Number, k1: Number, weight: Number) -> Number:
    """Saturates a weight above 0 by k1 and multiplies it by the word's factor; a weight with k1 below 0
    stays.
    """
    return weight if k1 < 0 else factor * weight / (k1 + weight)


@inlined
def score_bound(lists: Lists, word: Number, block: Number) -> Number:
    """Returns an upper bound of what a document of a block scores by a word."""
    bounds, shares, ends, factors = lists.bounds, lists.shares, lists.ends, lists.factors
    most = np.float32(0)
    for at in range(first_list(ends, word), ends[word]):
        most += bounds[at, BOUND, block] * shares[at]
    return saturate(factors[word, FACTOR], factors[word, K1], most) if most > 0 else most
