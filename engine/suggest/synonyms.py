"""Expands queries by the operator's synonyms.

    synonyms.tsv   words TAB words that mean the same [TAB more of them]

Every side of a line is a synonym of every other. A synonym counts less than the word
that was typed, as a variant does. Synonyms of a synonym are not looked up.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import NamedTuple, assert_never

from engine.index.query import (
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
    parse_tree,
)
from engine.suggest.operator_files import OperatorFile

FILE = "synonyms.tsv"
MAX_SIDES = 8  # of a line
MAX_LINES = 5_000  # parsed in half a second, once after each change; a line takes some 4 kB
MAX_REMEMBERED = 4  # sets of languages, of which an index has one at a time

Parts = tuple[Query, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Synonyms:
    """The sides of the lines; what is found by another side counts a `share` of what the typed one does."""

    lines: Sequence[tuple[str, ...]] = ()
    share: float = 1.0

    def expand(self, query: Query, languages: frozenset[str]) -> Query:
        """Expands the words of a query by their synonyms.

        Words in quotation marks, and those not wanted, stay as they are; with a share of 0 all do.
        """
        if not (self.lines and self.share):
            return query
        return _expand(query, _index_sides(self, languages), self.share)


NONE = Synonyms()


def read_synonyms(data_dir: Path, share: float) -> OperatorFile[tuple[str, ...], Synonyms]:
    """Reads the operator's synonyms.tsv, again when it has changed."""
    return OperatorFile(data_dir / FILE, parse_line, partial(Synonyms, share=share))


def parse_line(line: str) -> tuple[str, ...]:
    """Parses the sides of a line. Raises ValueError where there are fewer than two, or too many."""
    found = tuple(dict.fromkeys(side for side in (" ".join(one.split()) for one in line.split("\t")) if side))
    if not 2 <= len(found) <= MAX_SIDES:
        raise ValueError(f"words, a tab, and words that mean the same: 2 to {MAX_SIDES} in all")
    return found


class _Side(NamedTuple):
    """Words, and their synonyms."""

    words: Parts
    others: Parts


_Known = Mapping[str, Sequence[_Side]]
"""The sides by each of the terms of their first words."""


@lru_cache(MAX_REMEMBERED)
def _index_sides(synonyms: Synonyms, languages: frozenset[str]) -> _Known:
    """Indexes the sides of the lines by the terms of their first words."""
    known: dict[str, list[_Side]] = {}
    for line in synonyms.lines[:MAX_LINES]:
        for side in line:
            words = _clauses_of(parse_tree(_strip_syntax(side), languages))
            others = tuple(_parse_phrase(_strip_syntax(other), languages) for other in line if other != side)
            for term in _word_terms(words[0]) if words else ():
                known.setdefault(term, []).append(_Side(words, others))
    return known


def _word_terms(part: Query) -> frozenset[str]:
    """Returns the terms of a word; others have none to be known by."""
    if isinstance(part, Compound):
        return part.whole.terms
    return part.terms if isinstance(part, Word) else frozenset()


def _begins_with(side: _Side, parts: Parts) -> bool:
    """Tells whether the parts begin with the side, each word of it in any of its forms."""
    head = parts[: len(side.words)]
    return len(head) == len(side.words) and all(
        _word_terms(one) & _word_terms(other) for one, other in zip(head, side.words, strict=True)
    )


def _strip_syntax(side: str) -> str:
    """Strips quotation marks and minuses from a side: they mean nothing here."""
    return " ".join(word.lstrip("-") for word in side.replace('"', " ").split()).lower()


def _clauses_of(query: Query) -> Parts:
    return query.parts if isinstance(query, AllOf) else (query,)


def _parse_phrase(side: str, languages: frozenset[str]) -> Query:
    """Parses a side as a phrase, where it is of several words."""
    return parse_tree(f'"{side}"' if " " in side else side, languages)


def _expand(query: Query, known: _Known, share: float) -> Query:
    match query:
        case AllOf():
            return replace(query, parts=tuple(_expand_runs(query.parts, known, share)))
        case AnyOf():
            return AnyOf(tuple(_expand(part, known, share) for part in query.parts))
        case Word() | Compound():
            return next(_expand_runs((query,), known, share))
        case Phrase() | MostOf() | AndMaybe() | Boost():
            return query
        case Prefix() | Field() | Range() | Every() | Matched():
            return query
        case _:
            assert_never(query)


def _expand_runs(parts: Parts, known: _Known, share: float) -> Iterator[Query]:
    """Expands the parts, where several that follow each other have synonyms as one."""
    at = 0
    while at < len(parts):
        sides = (side for term in sorted(_word_terms(parts[at])) for side in known.get(term, ()))
        matching = [side for side in sides if _begins_with(side, parts[at:])]
        size = max((len(side.words) for side in matching), default=1)
        if matching:
            others = dict.fromkeys(one for side in matching if len(side.words) == size for one in side.others)
            yield _add_alternatives(parts[at : at + size], tuple(others), share)
        else:
            part = parts[at]
            yield _expand(part, known, share) if isinstance(part, AnyOf | AllOf) else part
        at += size


def _add_alternatives(run: Parts, others: Parts, share: float) -> Query:
    """Adds alternatives to words: those for one word are akin to it; else any of them will do."""
    alone = run[0]
    if len(run) == 1 and isinstance(alone, Word):
        words = [other for other in others if isinstance(other, Word)]
        others = tuple(other for other in others if not isinstance(other, Word))
        variants = alone.variants.union(*(word.terms | word.variants for word in words)) - alone.terms
        alone = replace(alone, variants=variants)
    typed = alone if len(run) == 1 else AllOf(run)
    return AnyOf((typed, *(Boost(other, share) for other in others))) if others else typed
