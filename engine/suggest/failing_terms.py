"""Finds the parts of a query that fail: how many pages have each alone."""

from collections.abc import Sequence
from itertools import compress
from typing import NamedTuple, assert_never

from engine.index.query import (
    AndGroup,
    Negation,
    OperatorText,
    OrGroup,
    PrefixText,
    QuotedText,
    SyntaxNode,
    parse_syntax,
)
from engine.index.searching import Snapshot
from engine.suggest.spelling import count_hits

MAX_COUNTED = 8  # parts of a query that are looked for alone, each a search of its own


class ClauseCount(NamedTuple):
    """A part of a query as it may be typed, and how many pages have it."""

    text: str
    pages: int


class FailingClauses(NamedTuple):
    """The parts that are wanted, and shorter queries that find something.

    The one without all parts that no page has; where each is on some page, those without one of them.
    """

    clauses: Sequence[ClauseCount] = ()
    shorter: Sequence[str] = ()


def find_failing_clauses(snapshot: Snapshot, typed: str) -> FailingClauses:
    """Counts the pages of each of at most MAX_COUNTED parts; nothing where fewer than two are wanted
    together.
    """
    whole = parse_syntax(typed)
    parts = whole.parts if isinstance(whole, AndGroup) else ()
    every = [format_clause(part) for part in parts]
    wanted = [said for said, part in zip(every, parts, strict=True) if not isinstance(part, Negation)]
    if len(wanted) < 2 or not all(every):
        return FailingClauses()
    alone = list(map(ClauseCount, wanted, count_hits(snapshot, *wanted[:MAX_COUNTED])))
    nowhere = {part.text for part in alone if not part.pages}
    left_out = [nowhere] if nowhere else [{part.text} for part in alone]
    shorter = [" ".join(said for said in every if said not in out) for out in left_out]
    return FailingClauses(alone, list(compress(shorter, count_hits(snapshot, *shorter))))


def format_clause(part: SyntaxNode) -> str:
    """Formats a part as it may have been typed, '' for a group within a group: it would need brackets."""
    match part:
        case str():
            return part
        case QuotedText():
            return f'"{" ".join(part.words)}"'
        case OperatorText():
            return f"{part.operator}:{part.value}"
        case PrefixText():
            return f"{part.prefix}*"
        case Negation():
            return f"-{format_clause(part.part)}" if not isinstance(part.part, AndGroup | OrGroup) else ""
        case OrGroup():
            sides = [format_clause(side) for side in part.parts if not isinstance(side, AndGroup)]
            return " OR ".join(sides) if len(sides) == len(part.parts) else ""
        case AndGroup():
            return ""
        case _:
            assert_never(part)
