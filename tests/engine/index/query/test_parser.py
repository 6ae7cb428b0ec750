"""What a person may type, and what it is taken for."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.index.query.collectors import collect_words
from engine.index.query.parser import MAX_QUERY_CHARS, MAX_QUERY_TERMS, parse_tree
from engine.index.query.relaxation import to_disjunction
from engine.index.query.tree import NOTHING, AllOf, AnyOf, Compound, Phrase, Query, Word


def w(*terms: str) -> Word:
    return Word(frozenset(terms), frozenset(f"~{term}" for term in terms))


A, B, C = w("amber"), w("basil"), w("cedar")

TYPED = [
    ("amber", A, "a word"),
    ("amber basil", AllOf((A, B)), "all words are wanted (requirement 296)"),
    ("amber AND basil", AllOf((A, B)), "said in full"),
    ("amber OR basil", AnyOf((A, B)), "any of two"),
    ("amber OR basil cedar", AllOf((AnyOf((A, B)), C)), "OR binds its neighbours"),
    ('"amber basil"', Phrase((A, B)), "side by side"),
    ("amber -basil", AllOf((A,), (B,)), "minus"),
    ("amber NOT basil", AllOf((A,), (B,)), "NOT"),
    ('amber -"basil cedar"', AllOf((A,), (Phrase((B, C)),)), "a phrase left out"),
    ("amber-basil", Compound(w("amberbasil"), Phrase((A, B))), "a hyphen is no minus"),
    ('"amber-basil cedar"', Phrase((A, B, C)), "a compound in a phrase is its parts"),
    ("amber --basil", AllOf((A, B)), "nor are two"),
    ("amber -b", AllOf((A, w("b"))), "the option of a program"),
    ("c++ C#", AllOf((w("c++"), w("c#"))), "a sign that is part of the name"),
    (".amber", Compound(w(".amber"), A), "with its dot or without"),
    ("l'amber", A, "an article that hangs on its word is not looked for"),
    ("-amber", A, "nothing but a minus: a word"),
    ("-amber -basil", AllOf((A, B)), "nothing but minuses: words"),
    ("amber OR -basil", AnyOf((A,)), "all pages without a word are not an answer"),
    ('"amber basil', AllOf((A, B)), "a quote left open"),
    ("amber AND", AllOf((A, w("and"))), "an operator without its second side is a word"),
    ("(amber) [basil", AllOf((A, B)), "brackets are no syntax"),
    ("title:amber*^2", AllOf((w("title"), A, w("2"))), "fields, wildcards, boosts are no syntax"),
    ("", NOTHING, "nothing"),
    ('- "" !', NOTHING, "no word in it"),
]


@pytest.mark.requirement(296)
@pytest.mark.parametrize(("typed", "query", "why"), TYPED)
def test_what_is_typed_becomes_a_query(typed: str, query: Query, why: str) -> None:
    assert parse_tree(typed, ()) == query, why


def test_a_word_is_looked_up_as_each_language_spells_it() -> None:
    assert parse_tree("running", {"en"}) == w("running", "run")


def test_chinese_is_looked_up_by_pairs() -> None:
    assert parse_tree("搜索引", ()) == AllOf((w("搜索"), w("索引")))


def test_loosened_wants_any_word_and_still_leaves_out() -> None:
    assert to_disjunction(parse_tree('amber "basil cedar" -dune', ())) == AllOf(
        (AnyOf((A, B, C)),), (w("dune"),)
    )


LONG = [
    "word{} ",
    "-word{} ",
    "word{} OR ",
    "word{} AND ",
    "NOT ",
    "NOT -",
    '"a{} ',
    '"',
    "-",
    "word{}.",
    "搜索引擎{}",
]


@pytest.mark.requirement(296)
@pytest.mark.parametrize("unit", LONG)
def test_a_long_query_is_cut(unit: str) -> None:
    typed = "".join(unit.format(n) for n in range(2 * MAX_QUERY_CHARS))
    assert len(_all_words(parse_tree(typed, {"en"}))) <= MAX_QUERY_TERMS


def _all_words(query: Query) -> list[Word]:
    but = query.but if isinstance(query, AllOf) else ()
    return collect_words(query) + [word for part in but for word in _all_words(part)]


SYNTAX = st.lists(
    st.sampled_from(['"', "-", " ", "NOT ", " AND ", " OR ", "a", "b", "*", "(", ")", ":", "~", "^"])
)


@settings(max_examples=150)
@given(typed=st.text() | SYNTAX.map("".join))
def test_nothing_typed_can_raise(typed: str) -> None:
    parse_tree(typed, {"en", "ru"})
