"""Finds the best documents of a segment that hold any word (block-max MaxScore).

No document of a block scores more than the words' bounds there together; and once the commoner words cannot
lift one that has none of the rarer, they are looked up only where those are (MaxScore, after Turtle and
Flood, "Query evaluation: strategies and optimizations", 1995).
"""

import numpy as np
from numpy.typing import NDArray

from engine.index.reader import LEAF, MARKS, LeafArrays, Scores, argsort_descending
from engine.index.scoring.blocks import FACTOR, K1, LISTS, Lists, block_size, saturate, score_bound
from engine.index.scoring.summed import Scratch, make_scratch, read_word
from engine.index.scoring.top import (
    ROUNDING,
    SELECTION,
    TOP,
    Accumulators,
    Selection,
    Top,
    collect_block,
    finish_top,
    make_accumulators,
    make_candidates,
)
from engine.kernels import BOOL, I64, Number, compiled, inlined, readonly


@inlined
def _bound_words(lists: Lists, sequence: NDArray[np.int64], prune: bool) -> tuple[Scores, NDArray[np.int64]]:
    """Bounds what each word may add in each block, 0 without `prune`; and orders the blocks, the
    best first.
    """
    blocks = np.int64(lists.blocks.shape[2] - 1)
    bounds, order = np.zeros((len(lists.ends), blocks), np.float32), np.arange(blocks)
    if prune:
        for word in sequence:
            for block in range(blocks):
                bounds[word, block] = score_bound(lists, word, block)
        order = argsort_descending(bounds.sum(axis=0))
    return bounds, order


@inlined
def _prune_accumulators(accumulators: Accumulators, size: Number, least: Number) -> Number:
    """Drops the documents that score below `least` so far; returns how many are left."""
    (touched, sums, marks), left = accumulators, np.int64(0)
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
    lists: Lists,
    word: Number,
    read: Number,
    only: bool,
    scratch: Scratch,
    accumulators: Accumulators,
    size: Number,
) -> Number:
    """Adds what `read` documents score by a word; with `only`, where there is a score. Returns how many have
    one by now.
    """
    documents, weights = scratch.postings.documents, scratch.postings.weights
    (touched, sums, marks), bits = accumulators, weights.view(np.uint32)
    factor, k1 = lists.factors[word, FACTOR], lists.factors[word, K1]
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


@compiled(TOP(LISTS, readonly(I64), LEAF, SELECTION, BOOL))
def score_disjunction(
    lists: Lists,
    sequence: NDArray[np.int64],
    leaf: LeafArrays,
    selection: Selection,
    prune: bool,
) -> Top:
    """Scores the documents that hold any word: those that are wanted and some more; without `prune` all
    documents are looked at.

    `sequence` has the words, the rarest first.
    """
    in_block, (bounds, order) = block_size(lists, leaf), _bound_words(lists, sequence, prune)
    accumulators, candidates = make_accumulators(in_block), make_candidates(selection, in_block)
    scratch, total = make_scratch(in_block), np.int64(0)
    for block in order:
        rest, size, least = np.float32(bounds[:, block].sum()), np.int64(0), candidates.least * ROUNDING
        if prune and rest < least:
            break
        for word in sequence:
            only = prune and rest < least
            if only:
                size = _prune_accumulators(accumulators, size, least - rest)
                if size == 0:
                    break
            rest -= bounds[word, block]
            read = read_word(lists, leaf, word, block, only, accumulators.scores, scratch)
            size = _add_scores(lists, word, read, only, scratch, accumulators, size)
        candidates, matching = collect_block(accumulators, size, block, selection, candidates)
        total += matching
    return finish_top(candidates, selection.size, total)
