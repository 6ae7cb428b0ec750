"""The short way to read what was typed gives what Whoosh's parser gives."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.index.query.lexer import (
    AndGroup,
    Negation,
    OperatorText,
    OrGroup,
    PrefixText,
    QuotedText,
    SyntaxNode,
    parse_syntax,
    parse_with_whoosh,
)

A, B, C = "amber", "basil", "cedar"
CASES: list[tuple[str, SyntaxNode | None, str]] = [
    (" amber ", A, "a word"),
    ("amber basil amber", AndGroup((A, B)), "a word that is said twice is one"),
    ("Amber amber", AndGroup(("Amber", A)), "in another case it is another"),
    ("amber OR basil OR amber cedar", AndGroup((OrGroup((A, B)), C)), "OR binds its neighbours"),
    ("amber OR amber cedar amber", AndGroup((A, C)), "of one alternative nothing is left but itself"),
    ("amber AND basil cedar", AndGroup((A, B, C)), "AND is what stands between words anyway"),
    ("amber AND basil OR cedar", OrGroup((AndGroup((A, B)), C)), "AND binds closer"),
    ("OR amber", AndGroup(("OR", A)), "an operator without its first side is a word"),
    ("amber AND", AndGroup((A, "AND")), "or its second"),
    ("amber OR OR basil", AndGroup((A, B)), "two operators side by side"),
    ("NOT amber basil", AndGroup((Negation(A), B)), "NOT in words"),
    ("-amber OR -basil", OrGroup((Negation(A), Negation(B))), "minus binds closest"),
    ("--amber - basil", AndGroup(("--amber", "-", B)), "no minus"),
    ('"amber  basil" cedar', AndGroup((QuotedText((A, B)), C)), "a phrase"),
    ('amber "amber"', AndGroup((A, QuotedText((A,)))), "a word in quotation marks is another"),
    ('-"amber basil" cedar', AndGroup((Negation(QuotedText((A, B))), C)), "a phrase with a minus"),
    ('amber"basil cedar"', AndGroup((A, QuotedText((B, C)))), "a phrase begins anywhere"),
    ('"amber', '"amber', "a quote left open"),
    ('amber ""', A, "a phrase without words"),
    ('amber "OR" basil', AndGroup((A, QuotedText(("OR",)), B)), "no operator is in quotation marks"),
    ("Site:b.org amber", AndGroup((OperatorText("site", "b.org"), A)), "an operator and its value"),
    (
        '-intitle:"amber basil" cedar',
        AndGroup((Negation(OperatorText("intitle", '"amber basil"')), C)),
        "a phrase",
    ),
    ("NOT lang:pl", Negation(OperatorText("lang", "pl")), "with a minus in words"),
    ("site: amber", AndGroup((OperatorText("site", ""), A)), "nothing behind it"),
    ("before::after title:amber", AndGroup(("before::after", "title:amber")), "names with colons"),
    ('amber "site:b.org"', AndGroup((A, QuotedText(("site:b.org",)))), "no operator is in quotation marks"),
    ("lang:pl OR amber*", OrGroup((OperatorText("lang", "pl"), PrefixText(A))), "either"),
    ("-amber* basil*c *", AndGroup((Negation(PrefixText(A)), "basil*c", "*")), "a beginning ends a word"),
    ("-l --basil -", AndGroup(("-l", "--basil", "-")), "one letter is an option, as are two minuses"),
    ("-amber -ca", AndGroup((Negation(A), Negation("ca"))), "two letters are none"),
    ("-é amber", AndGroup((Negation("é"), A)), "nor is a letter that no option has"),
    ("", None, "nothing"),
]


@pytest.mark.requirement(296)
@pytest.mark.parametrize(("typed", "expected", "why"), CASES, ids=[why for *_, why in CASES])
def test_what_is_typed_is_taken_apart(typed: str, expected: SyntaxNode | None, why: str) -> None:
    assert parse_syntax(typed) == expected, why
    assert parse_with_whoosh(typed) == expected, why


PIECES = [
    "a",
    "b",
    "A",
    '"',
    '"a b"',
    '"a"',
    '-"b a"',
    "-",
    "-a",
    "-ab",
    "site:",
    "-lang:b",
    'intitle:"a b"',
    "a*",
    "*",
    "--a",
    "a-b",
    "NOT",
    "AND",
    "OR",
    "OR",
    " ",
    ".",
    "\x1f",
]


@settings(max_examples=300)
@given(st.lists(st.sampled_from(PIECES), max_size=9), st.sampled_from(["", " ", " ", "\u3000"]))
def test_it_is_what_whoosh_makes_of_it(pieces: list[str], between: str) -> None:
    typed = between.join(pieces)
    assert parse_syntax(typed) == parse_with_whoosh(typed)


@settings(max_examples=100)
@given(st.text(max_size=30))
def test_of_any_text(typed: str) -> None:
    assert parse_syntax(typed) == parse_with_whoosh(typed)
