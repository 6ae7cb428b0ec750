"""The names of a page come back as they went, those that begin as asked."""

from hypothesis import given
from hypothesis import strategies as st

from engine.index.cluster_form.page_names import (
    SHORT,
    NameTerm,
    begins_with,
    make_name_keys,
    pack_names,
    unpack_names,
)
from engine.index.schema.names import BEHIND, make_name_terms
from engine.index.schema.schema import NAMES
from engine.linkgraph.inlinks import Anchor

NAME = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)


@given(NAME, st.lists(NAME, max_size=6), NAME, NAME, st.integers(0, 30))
def test_a_name_is_found_by_its_beginning(
    title: str, headings: list[str], anchor: str, other: str, size: int
) -> None:
    terms = make_name_terms(title, headings, [Anchor(anchor, 1)], [other])
    folded = [term.partition(BEHIND)[0] for term in terms]
    for beginning in {one[:size] for one in (*folded, other)}:
        expected = {NameTerm(term[-1], term[:-1]) for term in terms if term.startswith(beginning)}
        assert set(unpack_names(pack_names(terms), beginning)) == expected


@given(NAME, st.lists(NAME, max_size=6))
def test_a_beginning_is_a_key_or_begins_one(title: str, headings: list[str]) -> None:
    terms = make_name_terms(title, headings, [])
    keys = make_name_keys(terms)
    for term in terms:
        folded = term.partition(BEHIND)[0]
        assert NameTerm(term[-1], term[:-1]).key in keys
        for size in range(1, len(folded) + 1):
            [(how, asked)] = begins_with(term[-1], folded[:size]).items()
            assert how == ("term" if size <= SHORT else "prefix")
            assert (
                asked[NAMES] in keys if how == "term" else any(key.startswith(asked[NAMES]) for key in keys)
            )


def test_a_page_without_names() -> None:
    assert list(unpack_names(pack_names([]), "")) == []
