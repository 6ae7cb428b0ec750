"""Operators that are taken for the words that they are made of."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.index.query.lexer import (
    AndGroup,
    Negation,
    OperatorText,
    OrGroup,
    QuotedText,
    SyntaxNode,
    parse_syntax,
)
from engine.index.query.operators import OPERATORS
from engine.index.query.plain_words import to_plain_words

PLAIN = [
    ("amber basil", "amber basil", "no operator"),
    ("IS NOT NULL", "IS not NULL", "NOT is a word"),
    ("NOT EXISTS", "not EXISTS", "at the beginning"),
    ("AND OR NOT", "and or not", "nothing but operators"),
    ("amber NOT", "amber not", "at the end"),
    ("find -name amber", "find name amber", "a word loses its minus"),
    ("-Wall -Wextra", "Wall Wextra", "several do"),
    ("-amber*", "amber*", "so does a prefix"),
    ("amber -NOT basil", "amber not basil", "an operator behind a minus"),
    ("NOT -amber", "not amber", "both"),
    ("ls -l --all -", "ls -l --all -", "what is no minus"),
    ("e-mail x-NOT ORDER NOTE", "e-mail x-NOT ORDER NOTE", "parts of words"),
    ('"IS NOT" NOT NULL', '"IS NOT" not NULL', "what is in quotation marks stays"),
    ('amber -"basil OR cedar"', 'amber -"basil OR cedar"', "a phrase that is left out is meant so"),
    ('amber NOT "basil cedar"', 'amber NOT "basil cedar"', "in words as well"),
    ("amber -site:b.org", "amber -site:b.org", "a filter with a minus is meant so"),
    ("amber NOT Lang:pl", "amber NOT Lang:pl", "in words as well"),
    ("amber NOT -lang:pl", "amber NOT -lang:pl", "or both"),
    ('"amber NOT basil', '"amber not basil', "a quotation mark that is not closed is none"),
    ('-"amber', '"amber', "nor with a minus"),
    ("", "", "nothing"),
]


@pytest.mark.parametrize(("typed", "plain", "why"), PLAIN)
def test_operators_become_words(typed: str, plain: str, why: str) -> None:
    assert to_plain_words(typed) == plain, why


PIECES = [
    *("-", " ", "AND", "OR", "NOT", '"', "amber", "b", "*", "\n", "é"),
    *(f"{one}:" for one in OPERATORS),
]


@settings(max_examples=300)
@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join) | st.text(max_size=40))
def test_nothing_is_left_out_but_filters_and_phrases(typed: str) -> None:
    plain = to_plain_words(typed)
    assert to_plain_words(plain) == plain
    assert all(isinstance(part, OperatorText | QuotedText) for part in _left_out(parse_syntax(plain)))


def _left_out(node: SyntaxNode | None) -> list[SyntaxNode]:
    """What a query leaves out; alternatives there are none."""
    assert not isinstance(node, OrGroup)
    if isinstance(node, AndGroup):
        return [one for part in node.parts for one in _left_out(part)]
    return [node.part] if isinstance(node, Negation) else []
