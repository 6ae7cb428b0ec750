"""Finds the best documents of a segment that hold any word (block-max MaxScore).

No document of a block scores more than the words' bounds there together; and once the commoner words cannot
lift one that has none of the rarer, they are looked up only where those are (MaxScore, after Turtle and
Flood, "Query evaluation: strategies and optimizations", 1995).
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.compiled import BOOL, F32, I64, Number, compiled, given, inlined
from engine.index.reader import MARKS, Scores
from engine.index.scoring.blocks import (
    BLOCKS,
    ENDS,
    FACTOR,
    FACTORS,
    K1,
    LISTS,
    block_size,
    saturate,
    score_bound,
)
from engine.index.scoring.bm25f import LEAF, NORMS
from engine.index.scoring.summed import DOCUMENTS, WEIGHTS, make_scratch, read_word
from engine.index.scoring.top import (
    ABLE,
    ROUNDING,
    TOP,
    Able,
    Top,
    collect_block,
    finish_top,
    make_sums,
    make_top,
)


@inlined
def _bound_words(lists: Any, sequence: NDArray[np.int64], prune: bool) -> tuple[Scores, NDArray[np.int64]]:
    """Bounds what each word may add in each block, 0 without `prune`; and orders the blocks, the
    best first.
    """
    blocks = np.int64(lists[BLOCKS].shape[2] - 1)
    bounds, order = np.zeros((len(lists[ENDS]), blocks), np.float32), np.arange(blocks)
    if prune:
        for word in sequence:
            for block in range(blocks):
                bounds[word, block] = score_bound(lists, word, block)
        order = np.argsort(-bounds.sum(axis=0))
    return bounds, order


@inlined
def _prune_candidates(
    touched: NDArray[np.int32], size: Number, sums: Scores, marks: NDArray[np.uint8], least: Number
) -> Number:
    """Drops the documents whose sums are below `least`; returns how many are left."""
    left = np.int64(0)
    for at in range(size):
        place = np.uint64(touched[at])
        if sums[place] >= least:
            touched[left] = touched[at]
            left += 1
        else:
            sums[place], marks[place] = 0, 0
    return left


@inlined
def _add_scores(
    read: Number,
    only: bool,
    factor: Number,
    k1: Number,
    scratch: Any,
    touched: NDArray[np.int32],
    size: Number,
    sums: Scores,
    marks: NDArray[np.uint8],
) -> Number:
    """Adds the scores of a word to the sums; with `only`, where there is one. Returns how many have one by
    now.
    """
    documents, weights, bits = scratch[0][DOCUMENTS], scratch[1][WEIGHTS], scratch[1][WEIGHTS].view(np.uint32)
    used = np.uint64(size)
    for at in range(read):
        place = np.uint64(documents[at])
        before = sums[place]
        if only and before == 0:
            continue
        touched[used] = np.int32(place)
        used += np.uint64(before == 0)
        sums[place] = before + saturate(factor, k1, weights[at])
        marks[place] |= np.uint8(bits[at] & np.uint32(MARKS))
    return np.int64(used)


@compiled(TOP(LISTS, given(I64), LEAF, NORMS, ABLE, I64, F32, BOOL))
def score_disjunction(
    lists: tuple[Any, ...],
    sequence: NDArray[np.int64],
    leaf: tuple[NDArray[Any], ...],
    norms: Scores,
    filters: Able,
    count: Number,
    least: Number,
    prune: bool,
) -> Top:
    """Scores the documents that hold any word: the top `count` and some more, not below `least`; without
    `prune` all documents are looked at.

    `sequence` has the words, the rarest first.
    """
    in_block, (bounds, order) = block_size(lists, leaf), _bound_words(lists, sequence, prune)
    of_block, best = make_sums(in_block), make_top(count, in_block)
    touched, scratch = np.empty(in_block + 1, np.int32), make_scratch(in_block)
    sums, marks = of_block
    found, total = np.int64(0), np.int64(0)
    for block in order:
        rest, size = np.float32(bounds[:, block].sum()), np.int64(0)
        if prune and rest < least * ROUNDING:
            break
        for word in sequence:
            only = prune and rest < least * ROUNDING
            if only:
                size = _prune_candidates(touched, size, sums, marks, least * ROUNDING - rest)
                if size == 0:
                    break
            rest -= bounds[word, block]
            read = read_word(lists, leaf, norms, word, block, only, sums, scratch)
            factor, k1 = lists[FACTORS][word, FACTOR], lists[FACTORS][word, K1]
            size = _add_scores(read, only, factor, k1, scratch, touched, size, sums, marks)
        best, found, matching, least = collect_block(
            touched, size, block, of_block, filters, best, found, count, least
        )
        total += matching
    return finish_top(best, found, count, least, total)
