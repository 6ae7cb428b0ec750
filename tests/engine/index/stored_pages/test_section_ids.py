"""Ids that are names: found all at once, and one by one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.index.stored_pages.section_ids import choose_name, find_named_sections, match_id, strip_lines

IDS = st.lists(st.text("aAb.._-\n é–", max_size=8), max_size=6)
SAID = st.dictionaries(st.text("abé", min_size=1, max_size=4), st.integers(0, 9), max_size=4)


@given(IDS, SAID)
def test_together_as_each_by_itself(fragments: list[str], said: dict[str, int]) -> None:
    alone = [(at, match_id(one, said, ["ab"])) for at, one in enumerate(fragments)]
    assert list(find_named_sections(fragments, strip_lines(fragments), said, ["ab"])) == [
        pair for pair in alone if pair[1] is not None
    ]


NAMES = [
    ("get(block=True)", True, "what it is called by its last part"),
    ("coroutine get()", True, "a word of several"),
    ("target()", False, "the end of a word"),
    ("getter()", False, "the beginning of one"),
    ("target of get()", True, "first as a part of a word, then as one"),
    ("get_all()", False, "what is joined to it belongs to it"),
    ("Get()", False, "names are told apart by their letters"),
    ("", False, "nothing"),
]


@pytest.mark.parametrize(("heading", "named", "why"), NAMES, ids=[why for *_, why in NAMES])
def test_a_heading_is_shown_by_the_full_name_of_what_it_calls(heading: str, named: bool, why: str) -> None:
    assert choose_name(heading, "asyncio.Queue.get") == ("asyncio.Queue.get" if named else heading), why
