"""Places of words and beginnings of sections in one order."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engine.index.snippets.match_positions import _add_openings
from engine.index.stored_pages.page_layout import PageLayout
from engine.text.tokens.utf8 import Utf8

SECTIONS = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 3)), max_size=6)
PLACES = st.lists(st.tuples(st.integers(0, 20), st.integers(0, 2)), max_size=12)


@given(SECTIONS, PLACES)
def test_openings_stand_behind_what_begins_there(
    sections: list[tuple[int, int]], at: list[tuple[int, int]]
) -> None:
    """sections: whether the heading says a word, how many lines of ten characters; at: starts and numbers."""
    of = [section for section, (_, lines) in enumerate(sections) for _ in range(lines)]
    firsts = list(range(0, 11 * len(of), 11))
    spans = np.array([firsts, [first + 10 for first in firsts], of, firsts], np.int64).reshape(4, -1)
    columns = [
        (start, start + 1, number, of[start // 11]) for start, number in sorted(at) if start < 11 * len(of)
    ]
    headed = np.array([says for says, _ in sections], np.int64)
    laid = PageLayout(Utf8(b""), np.empty((4, len(sections)), np.int64), spans)
    added = [
        (begin, begin, 9, section)
        for section, (says, _) in enumerate(sections)
        for begin in [first for first, other in zip(firsts, of, strict=True) if other >= section][:1]
        if says
    ]
    wanted = sorted((*columns, *added), key=lambda column: (column[3], column[0]))
    found = _add_openings(np.array(columns, np.int64).reshape(-1, 4).T.copy(), headed, laid, 9)
    assert found.T.tolist() == [list(column) for column in wanted]
