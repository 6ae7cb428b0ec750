"""Ids that are names: found all at once, and one by one."""

from hypothesis import given
from hypothesis import strategies as st

from engine.index.stored_pages.section_ids import find_named_sections, match_name, strip_lines

IDS = st.lists(st.text("aAb.._-\n é–", max_size=8), max_size=6)
SAID = st.dictionaries(st.text("abé", min_size=1, max_size=4), st.integers(0, 9), max_size=4)


@given(IDS, SAID)
def test_together_as_each_by_itself(fragments: list[str], said: dict[str, int]) -> None:
    alone = [(at, match_name(one, said)) for at, one in enumerate(fragments)]
    assert list(find_named_sections(fragments, strip_lines(fragments), said)) == [
        pair for pair in alone if pair[1] is not None
    ]
