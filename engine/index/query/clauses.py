"""Splits a query into scored clauses and filters."""

from collections.abc import Iterator
from enum import StrEnum
from typing import assert_never

from engine.index.query.tree import (
    AllOf,
    AndMaybe,
    AnyOf,
    Boost,
    Compound,
    Every,
    Field,
    Matched,
    MostOf,
    Phrase,
    Prefix,
    Query,
    Range,
    Word,
)
from engine.index.schema import FORMS, TEXT_FIELDS


class Role(StrEnum):
    """How a clause must match, as Lucene's Occur."""

    MUST = "must"
    ANY_OF = "any-of"  # one of these is enough
    SHOULD = "should"  # makes a page better
    FILTER = "filter"  # must be so, and adds nothing
    MUST_NOT = "must-not"


def split_clauses(query: Query) -> Iterator[tuple[Role, Query]]:
    """Splits a query into its scored clauses, filters and unwanted parts, each with its role."""
    match query:
        case AllOf() | MostOf():
            must = query.must if isinstance(query, MostOf) else ()
            for part in (*query.parts, *must):
                yield from _split_group(query, part)
            if not query.parts:
                yield Role.MUST, Every()
            yield from ((Role.FILTER, part) for part in query.only)
            yield from ((Role.MUST_NOT, part) for part in query.but)
        case AnyOf():
            yield from ((Role.ANY_OF, part) for part in query.parts)
        case AndMaybe():
            yield from split_clauses(query.part)
            yield Role.SHOULD, query.maybe
        case Word() | Phrase() | Compound() | Boost() | Prefix():
            yield Role.MUST, query
        case Field() | Range() | Every() | Matched():
            yield Role.MUST, query
        case _:
            assert_never(query)


def _split_group(query: AllOf | MostOf, part: Query) -> Iterator[tuple[Role, Query]]:
    """Yields a part of a group with its role; groups within an AllOf are taken apart, as no part of them is
    lost.
    """
    if isinstance(query, MostOf):
        yield Role.SHOULD if isinstance(part, Boost) else Role.MUST, part
    else:
        yield from split_clauses(part)


def is_filter(query: Query) -> bool:
    """Tells whether the documents that match are all alike: what has no words and no prefixes, in no text."""
    match query:
        case Field():
            return query.name not in TEXT_FIELDS
        case Range() | Every() | Matched():
            return True
        case AllOf() | AnyOf():
            return all(map(is_filter, query.parts))
        case Word() | Phrase() | Compound() | Prefix() | MostOf() | AndMaybe() | Boost():
            return False
        case _:
            assert_never(query)


def format_clause(part: Query) -> str:
    """Formats a part of a query as it may have been typed."""
    match part:
        case Word():
            return part.surface or min(part.terms, default="")
        case Phrase():
            return f'"{" ".join(map(format_clause, part.words))}"'
        case Compound():
            return format_clause(part.whole)
        case Boost() | AndMaybe():
            return format_clause(part.part)
        case AllOf() | MostOf():
            return " ".join(map(format_clause, part.parts))
        case AnyOf():
            return " OR ".join(dict.fromkeys(map(format_clause, part.parts)))
        case Prefix() | Field() | Range() | Every() | Matched():
            return _format_filter(part)
        case _:
            assert_never(part)


def _format_filter(part: Prefix | Field | Range | Every | Matched) -> str:
    match part:
        case Prefix():
            return f"{part.beginning}*"
        case Field():
            return f'"{part.term}"' if part.name == FORMS else f"{part.name}:{part.shown or part.term}"
        case Range():
            return f"{part.key}:{part.first}..{part.last}"
        case Matched():
            return str(part.query)
        case Every():
            return "every page"
        case _:
            assert_never(part)
