"""Numbers of a part are as wide as its largest, and what is packed comes back."""

from itertools import accumulate

import numpy as np
import pytest

from engine.index.cluster_form.part_packing import HEADER, SortedEntries, bounds_of, pack_parts
from engine.segment import BREAK

WIDTHS = [
    ([[0]], 1, 1, "a key of a document has no position"),
    ([[7, 255]], 1, 1, "the largest of one octet"),
    ([[7, 256], [3]], 1, 2, "one that is larger decides for all of the part"),
    ([[65_535]], 1, 2, "the largest of two"),
    ([[65_536], [65_536, 65_536]], 1, 4, "the first of four; two columns may have one position"),
    ([[*range(255)]], 1, 1, "as many as one octet counts"),
    ([[*range(256)], [9]], 2, 1, "and one more"),
    ([[2, 1]], 1, 1, "the next column begins at its own beginning: steps wrap around"),
]


@pytest.mark.parametrize(
    ("positions", "count_width", "step_width", "why"), WIDTHS, ids=[why for *_, why in WIDTHS]
)
def test_widths(positions: list[list[int]], count_width: int, step_width: int, why: str) -> None:
    """Each list is one key's; the part is the second of three, of the last of two documents."""
    keys = [b"k%d" % number for number in range(len(positions))]
    counts = list(map(len, positions))
    total = sum(counts)
    every = SortedEntries(
        np.frombuffer(b"".join(keys), np.uint8),
        bounds_of(keys),
        np.full(len(keys), 1, np.int64),
        np.full(total, 1, np.int32),
        np.repeat(np.arange(len(keys)), counts),
        np.arange(total, dtype=np.int32) % 3,
        np.array([one for some in positions for one in some], np.int32),
    )
    octets, bounds = pack_parts(every, 2, 3)
    assert bounds.tolist() == [[0, 0, 0, 0], [0, 0, len(octets), len(octets)]], why
    text = BREAK + b"".join(key + BREAK for key in keys)
    assert HEADER.unpack_from(octets) == (len(text), total, count_width, step_width), why
    assert octets[HEADER.size :].startswith(text)
    at = HEADER.size + len(text)
    assert np.frombuffer(octets, f"<u{count_width}", len(keys), at).tolist() == counts
    at += count_width * len(keys)
    assert np.frombuffer(octets, np.uint8, total, at).tolist() == every.columns.tolist()
    steps = np.frombuffer(octets, f"<u{step_width}", total, at + total).tolist()
    modulus = 1 << 8 * step_width
    for some in positions:
        own = [steps.pop(0) for _ in some]
        assert [place % modulus for place in accumulate(own)] == some, why


def test_nothing_takes_no_octets() -> None:
    nothing = np.empty(0, np.int32)
    every = SortedEntries(
        np.empty(0, np.uint8),
        bounds_of([]),
        np.empty(0, np.int64),
        nothing,
        np.empty(0, np.int64),
        nothing,
        nothing,
    )
    octets, bounds = pack_parts(every, 2, 3)
    assert (octets, bounds.tolist()) == (b"", [[0] * 4] * 2)
