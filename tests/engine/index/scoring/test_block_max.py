"""Blocks of what was found and kept: where each begins, and the best score in it."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engine.index.scoring.block_max import BOUND, START, count_blocks, make_blocks

SIZE = 300
SCORES = st.floats(0.125, 64, width=32)


@given(found=st.dictionaries(st.integers(0, SIZE - 1), SCORES), bits=st.integers(0, 9))
def test_blocks_tell_where_they_begin_and_the_best_of_each(found: dict[int, float], bits: int) -> None:
    documents = np.array(sorted(found), np.int32)
    scores = np.array([found[at] for at in sorted(found)], np.float32)
    count = count_blocks(SIZE, bits)
    blocks = make_blocks(documents, scores, bits, count)
    assert blocks.shape == (3, count + 1)
    for block in range(count + 1):
        inside = [score for at, score in found.items() if at >> bits == block]
        assert blocks[START, block] == sum(at >> bits < block for at in found)
        assert blocks[BOUND].view(np.float32)[block] == max(inside, default=0)
