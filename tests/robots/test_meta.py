"""META robots and X-Robots-Tag: requirements 197-218."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.robots import Directives, directives
from tests.tables import table

Pairs = list[tuple[str, str]]
words = st.lists(
    st.sampled_from(
        ["robots", "ours", "noindex", "nofollow", "none", "all", ":", ",", " ", "x-robots-tag", "é"]
    ),
    max_size=6,
).map("".join)
pairs = st.lists(st.tuples(st.sampled_from(["robots", "ours", "x-robots-tag"]) | words, words), max_size=4)


@pytest.mark.parametrize(("metas", "headers", "expected", "why"), table("meta_robots.json"))
def test_what_the_owner_asks(metas: Pairs, headers: Pairs, expected: list[bool], why: str) -> None:
    assert directives(metas, headers, "Ours") == Directives(*expected), why


@given(pairs, pairs)
def test_every_further_word_can_only_restrict(metas: Pairs, headers: Pairs) -> None:
    """C22: the most restrictive sum."""
    part, whole = directives(metas, [], "ours"), directives(metas, headers, "ours")
    assert whole.index <= part.index
    assert whole.follow <= part.follow
    assert whole.archive <= part.archive
