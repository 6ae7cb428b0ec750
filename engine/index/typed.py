"""What a person typed, taken apart: words, "phrases", -not, NOT, OR, AND.

Whoosh's parser defines what that means. Most people type words, and sometimes a phrase, a minus or ORs: these
are read here in a tenth of the time, and mean the same.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from whoosh.qparser import plugins
from whoosh.qparser.default import QueryParser
from whoosh.query.compound import And, Or
from whoosh.query.positional import Phrase
from whoosh.query.qcore import Query as Parsed
from whoosh.query.terms import Term
from whoosh.query.wrappers import Not


@dataclass(frozen=True, slots=True)
class Quoted:
    """Words side by side."""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Unwanted:
    """What has a minus before it."""

    part: "Typed"


@dataclass(frozen=True, slots=True)
class Together:
    """All of the parts."""

    parts: tuple["Typed", ...]


@dataclass(frozen=True, slots=True)
class Either:
    """Any of the parts."""

    parts: tuple["Typed", ...]


Typed = str | Quoted | Unwanted | Together | Either
"""A str is a word."""

# The operators in capitals stand alone, a minus before its word (two are an option's, as in --no-cache);
# brackets, fields and wildcards are words.
_PLUGINS: Any = plugins
_PARSER = QueryParser(
    None,
    None,
    plugins=[
        _PLUGINS.PhrasePlugin(expr=r'"(?P<text>[^"]*)"(?P<slop>)'),
        _PLUGINS.OperatorsPlugin(
            Not=r"(^|(?<=\s))(NOT\s+|-(?=[^\s-]))", AndNot=None, AndMaybe=None, Require=None
        ),
    ],
)

_PART = r'-?"[^"]*\w[^"]*"|[^\s"]+'
_PLAIN = re.compile(rf"\s*+(?:(?:{_PART})(?:\s++|\Z))*+")
_PARTS = re.compile(_PART)


def taken_apart(text: str) -> Typed | None:
    """What was typed, None where that is nothing."""
    plain = _plain(text)
    return parsed(text) if plain is None else _joined(Together, plain)


def parsed(text: str) -> Typed | None:
    """The same by Whoosh's parser alone."""
    return _typed(_PARSER.parse(text))


def _typed(tree: Parsed) -> Typed | None:
    match tree:
        case Term():
            return str(tree.text)
        case Phrase():
            return Quoted(tuple(tree.words))
        case And():
            return Together(_all_typed(tree.subqueries))
        case Or():
            return Either(_all_typed(tree.subqueries))
        case Not():
            part = _typed(tree.query)
            return None if part is None else Unwanted(part)
    return None


def _all_typed(trees: Iterable[Parsed]) -> tuple[Typed, ...]:
    return tuple(part for tree in trees if (part := _typed(tree)) is not None)


def _plain(text: str) -> list[Typed] | None:
    """The parts of a query without NOT, and with ANDs or ORs that have words on both sides, but not both."""
    if '"' not in text:
        tokens = text.split()
    elif _PLAIN.fullmatch(text):
        tokens = _PARTS.findall(text)
    else:
        return None
    either, both = "OR" in tokens, "AND" in tokens
    if "NOT" in tokens:
        return None
    if not (either or both):
        return [_part(token) for token in tokens]
    operator = "OR" if either else "AND"
    if (either and both) or _is_loose(tokens, operator):
        return None
    if both:
        return [_part(token) for token in tokens if token != operator]
    groups: list[list[Typed]] = []
    for before, token in zip(["", *tokens[:-1]], tokens, strict=True):
        if before == operator:
            groups[-1].append(_part(token))
        elif token != operator:
            groups.append([_part(token)])
    return [part for group in groups if (part := _joined(Either, group)) is not None]


def _is_loose(tokens: Sequence[str], operator: str) -> bool:
    """Whether one of the operators has no word on one side: then it may be a word itself."""
    alone = tokens[0] == operator or tokens[-1] == operator
    return alone or any(one == other == operator for one, other in pairwise(tokens))


def _part(token: str) -> Typed:
    """A word, a phrase, either with a minus."""
    if token[0] == "-" and token[1:2] not in ("", "-"):
        return Unwanted(_said(token[1:]))
    return _said(token)


def _said(token: str) -> Typed:
    """A phrase of one word is the word."""
    if token[0] != '"':
        return token
    words = tuple(token[1:-1].split())
    return Quoted(words) if len(words) > 1 else words[0]


def _joined(kind: type[Together | Either], parts: Sequence[Typed]) -> Typed | None:
    """A group in which everything is once, where there are several."""
    once = tuple(dict.fromkeys(parts))
    return kind(once) if len(once) > 1 else next(iter(once), None)
