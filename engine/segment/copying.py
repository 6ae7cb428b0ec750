"""Copies postings of several segments into one without the deleted ones: a compiled loop."""

import numpy as np
from numpy.typing import NDArray

from engine.kernels import I32, I64, NONE, Number, compiled, mutable, readonly

Numbers = NDArray[np.int32]
Wide = NDArray[np.int64]

_SHARES = readonly(I64), readonly(I64), readonly(I64), I64, I64
_READ = mutable(I64), mutable(I64), readonly(I32), readonly(I32), readonly(I32)
_NEW = readonly(I32), readonly(I64), readonly(I64)
_FILLED = mutable(I64), mutable(I64), mutable(I32), mutable(I32), mutable(I32), mutable(I64)


@compiled(NONE(*_SHARES, *_READ, *_NEW, *_FILLED))
def copy_postings(
    terms: Wide,
    segments: Wide,
    counts: Wide,
    first_share: Number,
    of_texts: Number,
    places: Wide,
    gap_places: Wide,
    old_steps: Numbers,
    old_rows: Numbers,
    old_gaps: Numbers,
    documents: Numbers,
    begins: Wide,
    occurrences: Wide,
    state: Wide,
    left: Wide,
    steps: Numbers,
    rows: Numbers,
    gaps: Numbers,
    sizes: Wide,
) -> None:
    """Copies shares: `counts` postings of a term in a segment; terms below `of_texts` have positions.

    `places` and `gap_places` say where the next ones of each segment are, and move. `documents` are the new
    numbers, -1 for one that goes, those of a segment from `begins` on. `state` goes from part to part of
    the same terms, -1 before the first: last term, its last new document, last share (`first_share` is
    the number of the first), its last old document. `left` counts the postings of each term, `sizes` what is
    filled: postings, gaps, postings that are of texts. What is read of a damaged file raises IndexError.
    """
    posting, gap = 0, 0
    for at in range(len(terms)):
        term, segment = terms[at], segments[at]
        last = state[1] if term == state[0] else np.int64(-1)
        old = state[3] if first_share + at == state[2] else np.int64(-1)
        first, begin = posting, begins[segment]
        for place in range(places[segment], places[segment] + counts[at]):
            old += np.int64(old_steps[place]) + 1
            document = np.int64(documents[begin + old])
            amount = occurrences[old_rows[place]] if term < of_texts else np.int64(0)
            if document >= 0:
                steps[posting], rows[posting] = document - last - 1, old_rows[place]
                posting, last = posting + 1, document
                for one in range(gap_places[segment], gap_places[segment] + amount):
                    gaps[gap] = old_gaps[one]
                    gap += 1
            gap_places[segment] += amount
        places[segment] += counts[at]
        left[term] += posting - first
        if term < of_texts:
            sizes[2] = posting
        state[0], state[1], state[2], state[3] = term, last, first_share + at, old
    sizes[0], sizes[1] = posting, gap
