"""Splits what a person typed into tokens: words, "phrases", -not, NOT, OR, AND, prefixes*, operator:value.

Whoosh's parser defines what that means. Most people type words, and sometimes a phrase, a minus or ORs: these
are read here in a tenth of the time, and mean the same.

A minus leaves out what it is written to, but it is no minus before another one (--no-cache) or before a
single letter or digit (ls -l), and none within quotation marks ("-Wall").
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from whoosh.qparser import plugins, syntax
from whoosh.qparser.default import QueryParser
from whoosh.query.compound import And, Or
from whoosh.query.qcore import Query as Parsed
from whoosh.query.terms import Term
from whoosh.query.wrappers import Not

from engine.index.query.operators import OPERATORS


@dataclass(frozen=True, slots=True)
class QuotedText:
    """Text in quotation marks: words side by side, or a word as it is."""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OperatorText:
    """An operator and its value: a word, or a phrase with its quotation marks."""

    operator: str
    value: str


@dataclass(frozen=True, slots=True)
class PrefixText:
    """A prefix, which an asterisk followed."""

    prefix: str


@dataclass(frozen=True, slots=True)
class Negation:
    """A part that has a minus before it."""

    part: "SyntaxNode"


@dataclass(frozen=True, slots=True)
class AndGroup:
    """All of the parts."""

    parts: tuple["SyntaxNode", ...]


@dataclass(frozen=True, slots=True)
class OrGroup:
    """Any of the parts."""

    parts: tuple["SyntaxNode", ...]


SyntaxNode = str | QuotedText | OperatorText | PrefixText | Negation | AndGroup | OrGroup
"""A str is a word."""

CONNECTIVES = ("AND", "OR", "NOT")  # what stands between words, or before one

# The operators in capitals stand alone, a minus before its word; brackets and other wildcards are words.
_PLUGINS: Any = plugins
_SYNTAX: Any = syntax
_TERM: Any = Term
MINUS = r"-(?![\s-]|[A-Za-z0-9](?:\s|\Z)|\Z)"
_AT_WORD = r"(?:(?<!\S)|(?<=\s-)|(?<=^-))"
_OPERATOR = rf'{_AT_WORD}(?P<text>(?i:{"|".join(OPERATORS)}):(?!:)(?:"[^"]*"|[^\s"]*+))'
_PREFIX = rf'{_AT_WORD}(?!{MINUS})(?P<text>[^\s"*]+)\*(?!\S)'
_LONG_WAY = re.compile(f"{_OPERATOR}|{_PREFIX}".replace("?P<text>", ""))


class _OperatorNode(_SYNTAX.TextNode):  # type: ignore[misc]
    """In Whoosh's tree: a term of a field that none of the words have."""

    field = OperatorText.__name__

    def query(self, _: QueryParser) -> Parsed:
        """Makes the term."""
        parsed: Parsed = _TERM(self.field, self.text)
        return parsed


class _PrefixNode(_OperatorNode):
    field = PrefixText.__name__


class _QuotedNode(_OperatorNode):
    field = QuotedText.__name__


class _NodePlugin(_PLUGINS.TaggingPlugin):  # type: ignore[misc]
    """Finds what becomes such a node."""

    def __init__(self, expression: str, node: type[_OperatorNode]) -> None:
        super().__init__(expression)
        self.nodetype = node


_PARSER = QueryParser(
    None,
    None,
    plugins=[
        _NodePlugin(_OPERATOR, _OperatorNode),
        _NodePlugin(_PREFIX, _PrefixNode),
        _NodePlugin(r'"(?P<text>[^"]*)"', _QuotedNode),
        _PLUGINS.OperatorsPlugin(
            Not=rf"(^|(?<=\s))(NOT\s+|{MINUS})", AndNot=None, AndMaybe=None, Require=None
        ),
    ],
)

_PART = r'-?"[^"]*\w[^"]*"|[^\s"]+'
_PLAIN = re.compile(rf"\s*+(?:(?:{_PART})(?:\s++|\Z))*+")
_PARTS = re.compile(_PART)
_AT_MINUS = re.compile(MINUS)


def parse_syntax(text: str) -> SyntaxNode | None:
    """Parses what was typed into words, phrases and operators; None where that is nothing."""
    plain = _parse_plain(text)
    return parse_with_whoosh(text) if plain is None else _make_group(AndGroup, plain)


def parse_with_whoosh(text: str) -> SyntaxNode | None:
    """Parses the same by Whoosh's parser alone."""
    return _convert(_PARSER.parse(text))


def _convert(tree: Parsed) -> SyntaxNode | None:
    match tree:
        case Term(fieldname=OperatorText.__name__):
            operator, _, value = str(tree.text).partition(":")
            return OperatorText(operator.lower(), value)
        case Term(fieldname=PrefixText.__name__):
            return PrefixText(str(tree.text))
        case Term(fieldname=QuotedText.__name__):
            words = tuple(str(tree.text).split())
            return QuotedText(words) if words else None
        case Term():
            return str(tree.text)
        case And():
            return _make_group(AndGroup, _convert_all(tree.subqueries))
        case Or():
            return _make_group(OrGroup, _convert_all(tree.subqueries))
        case Not():
            part = _convert(tree.query)
            return None if part is None else Negation(part)
    return None


def _convert_all(trees: Iterable[Parsed]) -> tuple[SyntaxNode, ...]:
    return tuple(part for tree in trees if (part := _convert(tree)) is not None)


def _parse_plain(text: str) -> list[SyntaxNode] | None:
    """Parses a query without NOT, with ANDs or ORs that have words on both sides, but not both, and with
    neither operators before a colon nor prefixes; None for any other.
    """
    tokens = _split_tokens(text)
    if tokens is None:
        return None
    either, both = "OR" in tokens, "AND" in tokens
    if "NOT" in tokens:
        return None
    if not (either or both):
        return [_parse_token(token) for token in tokens]
    operator = "OR" if either else "AND"
    if (either and both) or _has_loose_operator(tokens, operator):
        return None
    if both:
        return [_parse_token(token) for token in tokens if token != operator]
    groups: list[list[SyntaxNode]] = []
    for before, token in zip(["", *tokens[:-1]], tokens, strict=True):
        if before == operator:
            groups[-1].append(_parse_token(token))
        elif token != operator:
            groups.append([_parse_token(token)])
    return [part for group in groups if (part := _make_group(OrGroup, group)) is not None]


def _split_tokens(text: str) -> list[str] | None:
    """Splits a text into words and phrases; None where there is more than these."""
    if (":" in text or "*" in text) and _LONG_WAY.search(text):
        return None
    if '"' not in text:
        return text.split()
    return _PARTS.findall(text) if _PLAIN.fullmatch(text) else None


def _has_loose_operator(tokens: Sequence[str], operator: str) -> bool:
    """Tells whether an operator has no word on one side: then it may be a word itself."""
    alone = tokens[0] == operator or tokens[-1] == operator
    return alone or any(one == other == operator for one, other in pairwise(tokens))


def _parse_token(token: str) -> SyntaxNode:
    """Parses a word or a phrase, either with a minus."""
    if _AT_MINUS.match(token):
        return Negation(_parse_word(token[1:]))
    return _parse_word(token)


def _parse_word(token: str) -> SyntaxNode:
    """Parses a word, or what is in quotation marks."""
    return QuotedText(tuple(token[1:-1].split())) if token[0] == '"' else token


def _make_group(kind: type[AndGroup | OrGroup], parts: Sequence[SyntaxNode]) -> SyntaxNode | None:
    """Makes a group in which everything is once, where there are several parts."""
    once = tuple(dict.fromkeys(parts))
    return kind(once) if len(once) > 1 else next(iter(once), None)
