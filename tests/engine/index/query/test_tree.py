"""The nodes of the query tree: what a walk meets, and who has to hear of a new one."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

import engine
from engine.index.query import lexer, tree
from engine.index.query.collectors import collect_low_weight, collect_prefixes, collect_words
from engine.index.query.tree import (
    AllOf,
    AndMaybe,
    AnyOf,
    Boost,
    Compound,
    Field,
    MostOf,
    Phrase,
    Prefix,
    Query,
    Word,
    walk,
)


def w(term: str) -> Word:
    return Word(frozenset([term]))


A, B, C, D, E = map(w, "abcde")
ABBREVIATED = Prefix("ab")
PDF = Field("type", "pdf")

WALKED: list[tuple[Query, list[Word | Prefix], str]] = [
    (A, [A], "a node without children"),
    (PDF, [], "a filter has no words"),
    (Phrase((A, B)), [A, B], "in their order"),
    (Compound(A, Phrase((B, C))), [A, B, C], "whole, then in parts"),
    (AllOf((A, ABBREVIATED), (B,), (C,)), [A, ABBREVIATED], "neither what is unwanted nor a filter"),
    (AnyOf((A, AllOf((B, C)))), [A, B, C], "groups within groups"),
    (MostOf((A, ABBREVIATED), (B,), (C,), (D,)), [A, ABBREVIATED, B], "what must match, too"),
    (AndMaybe(A, Boost(B, 0.1)), [A, B], "what makes a page better"),
]


@pytest.mark.parametrize(("query", "found", "why"), WALKED)
def test_a_walk_meets_all_that_a_document_may_hold(
    query: Query, found: list[Word | Prefix], why: str
) -> None:
    assert next(walk(query)) is query, why
    assert [node for node in walk(query) if isinstance(node, Word | Prefix)] == found, why
    assert [*collect_words(query), *collect_prefixes(query)] == sorted(
        found, key=lambda node: isinstance(node, Prefix)
    ), why


LOW = [
    (AllOf((A, Boost(B, 0.1))), {B}, "a stop word"),
    (AllOf((A, Boost(A, 0.1))), set(), "it comes with its full weight, too"),
    (AnyOf((A, Boost(Phrase((B, C)), 0.4))), {B, C}, "a synonym of several words"),
    (MostOf((A,), (AllOf((AnyOf((B, Boost(C, 0.4))),), (), (PDF,)),)), {C}, "one of what must match"),
]


@pytest.mark.parametrize(("query", "words", "why"), LOW)
def test_words_of_low_weight_are_those_that_come_with_a_share_alone(
    query: Query, words: set[Word], why: str
) -> None:
    assert collect_low_weight(query) == words, why


NODES = {
    node.__name__
    for union in (tree.Query, lexer.SyntaxNode)
    for node in get_args(union)
    if node is not str and isinstance(node, type)
}


def _matches() -> Iterator[tuple[str, ast.Match]]:
    """Every match of ours in which a node is named."""
    for path in sorted(Path(engine.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Match) and NODES & {
                ast.unparse(pattern.cls)
                for case in node.cases
                for pattern in ast.walk(case.pattern)
                if isinstance(pattern, ast.MatchClass)
            }:
                yield f"{path.name}:{node.lineno}", node


def test_every_match_over_nodes_ends_in_assert_never() -> None:
    """So mypy names it when a node is added."""
    places = dict(_matches())
    assert [at for at, node in places.items() if "assert_never(" not in ast.unparse(node.cases[-1])] == []
    assert len(places) > 10
