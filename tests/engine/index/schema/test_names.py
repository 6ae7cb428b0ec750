"""The terms by which a page is found while its name is being typed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.index.schema.names import (
    BEHIND,
    MAX_DEFINITIONS,
    MAX_FOLDED,
    MAX_NAME,
    fold_prefix,
    make_name_terms,
)
from engine.linkgraph.inlinks import Anchor


@pytest.mark.parametrize(
    ("title", "terms", "why"),
    [
        ("Fern", ["fern\tFernt"], "folded, the name, and that it is a title that begins so"),
        ("The  Event\nLoop", ["the event loop\tThe Event Loopt", "event loop\tThe Event LoopT",
                              "loop\tThe Event LoopT"], "each word may be the first typed; on one line"),
        ("Art of war", ["art of war\tArt of wart", "war\tArt of warT"], "small words begin nothing"),
        ("Żółw", ["zolw\tŻółwt"], "without accents"),
        ("«Ёж»", ["еж»\t«Ёж»t"], "marks before the first word are not typed"),
        ("git-rebase(1)", ["git rebase(1)\tgit-rebase(1)t", "rebase(1)\tgit-rebase(1)T"],
         "a hyphen is a space"),
        ("mod_rewrite", ["mod rewrite\tmod_rewritet", "rewrite\tmod_rewriteT"], "and so is what joins words"),
        ("…", [], "no letter"),
        ("", [], "no title"),
        ("a\ud800b", ["a?b\ta?bt"], "half a character"),
    ],
)  # fmt: skip
def test_terms_of_a_title(title: str, terms: list[str], why: str) -> None:
    assert make_name_terms(title, [], []) == terms, why


def test_headings_and_links_are_names_unless_they_begin_the_title() -> None:
    anchors = [Anchor("Olive", 1), Anchor("pine", 3), Anchor("kelp", 1), Anchor("iris", 1), Anchor("Fern", 9)]
    found = make_name_terms("Fern — Plants", ["Fern", "Moss", "moss"], anchors)
    assert found == ["fern plants\tFern — Plantst", "plants\tFern — PlantsT", "moss\tMossh", "pine\tpinea",
                     "olive\tOlivea"]  # fmt: skip


def test_what_a_page_defines_is_a_name() -> None:
    found = make_name_terms(
        "Paths", [], [], ["os.path.join", "x" * (MAX_NAME + 1), *map("a.{}".format, range(999))]
    )
    assert found[1:4] == ["os path join\tos.path.joind", "path join\tos.path.joinD", "join\tos.path.joinD"]
    last = MAX_DEFINITIONS - 3
    assert found[-1] == f"{last}\ta.{last}D"


def test_a_long_title_is_cut_behind_a_word_and_a_long_heading_is_a_sentence() -> None:
    title = "fern " * 50
    (first, *_) = make_name_terms(title, ["moss " * 50], [])
    folded, name = first.split(BEHIND)
    assert (len(folded), name) == (MAX_FOLDED, ("fern " * (MAX_NAME // 5)).strip() + "t")
    assert "moss" not in "".join(make_name_terms(title, ["moss " * 50], []))


@pytest.mark.requirement(296)
@given(st.text(), *[st.lists(st.text(), max_size=3)] * 3)
def test_whatever_a_page_is_called_its_terms_can_be_kept(
    title: str, headings: list[str], links: list[str], definitions: list[str]
) -> None:
    """An id with a line break in it once stopped whoever wrote the index."""
    found = make_name_terms(title, headings, [Anchor(text, 1) for text in links], definitions)
    assert len(set(found)) == len(found)
    for term in found:
        assert b"\n" not in term.encode()
        folded, name = term.split(BEHIND)
        assert fold_prefix(name[:-1]).startswith(folded) or name[-1].isupper()


@pytest.mark.parametrize(
    ("typed", "beginning", "why"),
    [
        ("Fer", "fer", "case"),
        ("  «ŻÓŁ", "zoł".replace("ł", "l"), "white space, marks, accents"),
        ("event  loop ", "event loop ", "the space behind a word says that it is whole"),
        (" - ", "", "no letter"),
        ("git-reb", "git reb", "a hyphen"),
        ("Git‐Reb", "git reb", "of Unicode"),
        ("git - ", "git ", "with spaces, and nothing behind it yet"),
        ("mod_rew", "mod rew", "what joins words"),
        ("mod_", "mod ", "before the second one"),
        ("std::vec", "std vec", "of C++"),
        ("lib/json/en", "lib json en", "an address"),
        ("object.__init__", "object __init ", "what begins a word belongs to it"),
        ("c++", "c++", "what is part of a name"),
        ("a\ud800b", "a?b", "half a character, as names have it"),
        ("a" * 1_000, "a" * MAX_NAME, "longer than any name"),
    ],
)
def test_what_is_typed(typed: str, beginning: str, why: str) -> None:
    assert fold_prefix(typed) == beginning, why
