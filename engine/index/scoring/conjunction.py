"""Finds the best documents of a segment that hold all words: matched first, and only then weighed."""

import numpy as np
from numpy.typing import NDArray

from engine.index.reader import (
    LEAF,
    MARKS,
    Documents,
    LeafArrays,
    Scores,
    argsort_descending,
    argsort_documents,
)
from engine.index.scoring.blocks import LISTS, Lists, block_size, block_start, first_list, score_bound
from engine.index.scoring.postings import read_block
from engine.index.scoring.top import (
    ROUNDING,
    SELECTION,
    TOP,
    Selection,
    Top,
    collect_block,
    finish_top,
    make_accumulators,
    make_candidates,
)
from engine.index.scoring.weighed import add_word, make_word_room
from engine.kernels import BOOL, I32, I64, U8, Number, compiled, inlined, linked, mutable, readonly, tuple_of


@inlined
def _count_postings(lists: Lists, word: Number, block: Number) -> Number:
    """Counts the postings of a word in a block."""
    holding = np.int64(0)
    for at in range(first_list(lists.ends, word), lists.ends[word]):
        holding += block_start(lists.blocks, at, block + 1) - block_start(lists.blocks, at, block)
    return holding


@inlined
def _is_empty(lists: Lists, sequence: NDArray[np.int64], block: Number) -> bool:
    """Tells whether one of the words is in no document of a block."""
    empty = False
    for word in sequence:
        empty |= _count_postings(lists, word, block) == 0
    return empty


@inlined
def _keep_reached(
    stage: NDArray[np.uint8], step: Number, matching: NDArray[np.int32], size: Number
) -> Number:
    """Keeps those of the documents matched so far that have come to this stage; returns how many."""
    left = np.int64(0)
    for at in range(size):
        place = np.uint64(matching[at])
        if stage[place] == step:
            matching[left] = matching[at]
            left += 1
        else:
            stage[place] = 0
    return left


@linked(I64(LISTS, readonly(I64), LEAF, I64, mutable(U8), mutable(I32), mutable(I32, 2)))
def _match_block(
    lists: Lists,
    sequence: NDArray[np.int64],
    leaf: LeafArrays,
    block: Number,
    stage: NDArray[np.uint8],
    matching: NDArray[np.int32],
    held: NDArray[np.int32],
) -> Number:
    """Fills in the documents of a block, counted from its first, that hold all words; returns how many.

    `stage` is left as it was, all 0; `held` (lists, documents) gets those of each list.
    """
    base, found = block << lists.bits, np.int64(0)
    for step, word in enumerate(sequence):
        for at in range(first_list(lists.ends, word), lists.ends[word]):
            for place in range(read_block(lists, leaf, at, block, held[at])):
                document = np.uint64(held[at, place] - base)
                if stage[document] == step:
                    stage[document] = step + 1
                    if step == 0:
                        matching[found] = held[at, place] - base
                        found += 1
        if step:
            found = _keep_reached(stage, step + 1, matching, found)
        if found == 0:
            break
    for at in range(found):
        stage[np.uint64(matching[at])] = 0
    return found


@inlined
def _bound_blocks(lists: Lists, sequence: NDArray[np.int64]) -> tuple[Scores, Number]:
    """Bounds the score of each block; and counts the postings of the first word."""
    blocks, every = np.int64(lists.blocks.shape[2] - 1), np.int64(0)
    totals = np.zeros(blocks, np.float32)
    for block in range(blocks):
        every += _count_postings(lists, sequence[0], block)
        for word in sequence:
            totals[block] += score_bound(lists, word, block)
    return totals, every


@compiled(tuple_of(TOP, I64, I64)(LISTS, readonly(I64), LEAF, SELECTION, I64))
def score_conjunction(
    lists: Lists,
    sequence: NDArray[np.int64],
    leaf: LeafArrays,
    selection: Selection,
    counted: Number,
) -> tuple[Top, Number, Number]:
    """Scores the documents that hold all words; once `counted` were found, only blocks that can reach the
    top. Returns the top as score_disjunction() does, and at how many of how many postings of the first word
    it looked.
    """
    in_block, looked = block_size(lists, leaf), np.int64(0)
    totals, every = _bound_blocks(lists, sequence)
    accumulators, candidates = make_accumulators(in_block), make_candidates(selection, in_block)
    room, stage = make_word_room(lists, in_block), np.zeros(in_block, np.uint8)
    matching, marks, total = accumulators.touched, accumulators.marks, np.int64(0)
    for block in argsort_descending(totals):
        is_able = totals[block] >= candidates.least * ROUNDING
        if not is_able and total >= counted:
            break
        looked += _count_postings(lists, sequence[0], block)
        if _is_empty(lists, sequence, block):
            continue
        size = _match_block(lists, sequence, leaf, block, stage, matching, room.held)
        for at in range(size):
            marks[np.uint64(matching[at])] = MARKS
        for word in sequence[: len(sequence) if is_able and size else 0]:
            add_word(lists, leaf, word, block, room, accumulators, size)
        candidates, here = collect_block(accumulators, size, block, selection, candidates)
        total += here
    return finish_top(candidates, selection.size, total), looked, every


@compiled(mutable(I32)(LISTS, readonly(I64), LEAF, readonly(BOOL)))
def intersect_words(
    lists: Lists,
    sequence: NDArray[np.int64],
    leaf: LeafArrays,
    alive: NDArray[np.bool_],
) -> Documents:
    """Finds the documents, ascending, that hold all of the words."""
    blocks, in_block = np.int64(lists.blocks.shape[2] - 1), block_size(lists, leaf)
    stage, matching = np.zeros(in_block, np.uint8), np.empty(in_block, np.int32)
    held = np.empty((len(lists.table), in_block), np.int32)
    documents, found = np.empty(in_block, np.int32), np.int64(0)
    for block in range(blocks):
        if _is_empty(lists, sequence, block):
            continue
        size = _match_block(lists, sequence, leaf, block, stage, matching, held)
        if found + size > len(documents):
            documents = np.concatenate((documents, np.empty(len(documents) + in_block, np.int32)))
        for at in argsort_documents(matching[:size]):
            document = (block << lists.bits) + matching[at]
            if len(alive) == 0 or alive[np.uint64(document)]:
                documents[found] = document
                found += 1
    return documents[:found]
