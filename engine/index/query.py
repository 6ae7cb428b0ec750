"""What a person typed -> a query tree: each word with its spellings in the languages of the index.

A word has one term for each way in which the languages of the index may spell it. A compound is found whole,
or by its parts side by side; a document that has it whole has both, so it comes first.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.index.typed import Either, Quoted, Together, Typed, Unwanted, taken_apart
from engine.text.asked import Asked, Sought, query_terms

MAX_QUERY_TERMS = 32  # no person types more; bounds the work of one search
MAX_QUERY_CHARS = 1_000  # as typed; 32 long words


@dataclass(frozen=True, slots=True)
class Word:
    """Documents that hold any of the terms: spellings of one word; those of words akin to it count less.

    `said` is the word as it was typed, folded, '' for a part of it: it orders what is found, so words are
    equal without it.
    """

    terms: frozenset[str]
    akin: frozenset[str] = frozenset()
    said: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Phrase:
    """Documents that hold the words side by side in one field."""

    words: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Compound:
    """Documents that hold a word of several parts: whole or, which counts less, its parts side by side."""

    whole: Word
    parts: Word | Phrase


@dataclass(frozen=True, slots=True)
class AllOf:
    """Documents that match every part and nothing of `but`."""

    parts: tuple["Query", ...]
    but: tuple["Query", ...] = ()


@dataclass(frozen=True, slots=True)
class AnyOf:
    """Documents that match at least one part; of no parts, none."""

    parts: tuple["Query", ...]


@dataclass(frozen=True, slots=True)
class AndMaybe:
    """Documents that match the part; those that match `maybe`, too, are better."""

    part: "Query"
    maybe: "Query"


@dataclass(frozen=True, slots=True)
class Boost:
    """Documents that match the part; it counts so many times as much."""

    part: "Query"
    factor: float


@dataclass(frozen=True, slots=True)
class Prefix:
    """Documents that hold a term with this beginning in any text."""

    beginning: str


@dataclass(frozen=True, slots=True)
class Field:
    """Documents that hold a term in one of the texts, or have it as a key (url, host, language, flag)."""

    name: str
    term: str


@dataclass(frozen=True, slots=True)
class Range:
    """Documents that have a key from the first to the last, these included."""

    key: str
    first: str
    last: str


@dataclass(frozen=True, slots=True)
class Every:
    """All documents."""


@dataclass(frozen=True, slots=True)
class Matched:
    """Documents that match one of Whoosh's own queries over the index's fields; all are alike."""

    query: Any


Query = Word | Phrase | Compound | AllOf | AnyOf | AndMaybe | Boost | Prefix | Field | Range | Every | Matched

NOTHING = AnyOf(())


def parse(typed: str, languages: Iterable[str]) -> Query:
    """The query tree of at most MAX_QUERY_TERMS words; never raises, whatever was typed (requirement 296)."""
    left = iter(range(MAX_QUERY_TERMS))
    return _tree(taken_apart(typed[:MAX_QUERY_CHARS]), frozenset(languages), left) or NOTHING


def any_word(text: str, languages: Iterable[str]) -> Query:
    """Plain words, however many, any of them enough; one that is repeated counts as often."""
    found = [
        sought
        for asked in query_terms(text, languages)
        for sought in (*asked.parts, *([asked.whole] if asked.whole else ()))
    ]
    return AnyOf(tuple(Word(*sought) for sought in found))


def words(query: Query) -> list[Word]:
    """The words that a matching document may hold, without those of `but`."""
    match query:
        case Word():
            return [query]
        case Phrase():
            return list(query.words)
        case Compound():
            return [query.whole, *words(query.parts)]
        case AndMaybe():
            return [*words(query.part), *words(query.maybe)]
        case Boost():
            return words(query.part)
        case Prefix() | Field() | Range() | Every() | Matched():
            return []
    return [word for part in query.parts for word in words(part)]


def loosened(query: Query) -> Query:
    """The same query with any of its words enough."""
    but = query.but if isinstance(query, AllOf) else ()
    return AllOf((AnyOf(tuple(words(query))),), but)


def _tree(typed: Typed | None, languages: frozenset[str], left: Iterator[int]) -> Query | None:
    """As a tree, None where nothing is left; `left` has an item for each word still allowed."""
    match typed:
        case str():
            return _all_of([_word(asked, left) for asked in query_terms(typed, languages)])
        case Quoted():
            return _phrase(query_terms(" ".join(typed.words), languages), left)
        case Together():
            wanted, unwanted = _parted(typed.parts)
            parts = _trees(wanted, languages, left)
            return AllOf(parts, _trees(unwanted, languages, left)) if parts else None
        case Either():
            return AnyOf(_trees(_parted(typed.parts)[0], languages, left))
        case Unwanted():  # nothing else is asked for, so it was not meant as a minus
            return _tree(typed.part, languages, left)
    return None


def _trees(typed: Iterable[Typed], languages: frozenset[str], left: Iterator[int]) -> tuple[Query, ...]:
    trees = (_tree(part, languages, left) for part in typed)
    return tuple(tree for tree in trees if tree is not None)


def _parted(parts: Sequence[Typed]) -> tuple[Sequence[Typed], Sequence[Typed]]:
    """What a group wants, and what it wants not; where all is unwanted, a minus was not meant as one."""
    unwanted = [part.part for part in parts if isinstance(part, Unwanted)]
    wanted = [part for part in parts if not isinstance(part, Unwanted)]
    return (wanted, unwanted) if wanted else (unwanted, [])


def _word(asked: Asked, left: Iterator[int]) -> Query | None:
    """A word that was typed, None where there is no room left for it."""
    parts = _phrase([asked], left)
    whole = _words([asked.whole], left) if asked.whole else ()
    return Compound(whole[0], parts) if whole and parts else parts


def _phrase(typed: Sequence[Asked], left: Iterator[int]) -> Word | Phrase | None:
    """What was typed, part by part, side by side."""
    words = _words([part for asked in typed for part in asked.parts], left)
    if len(words) > 1:
        return Phrase(words)
    return words[0] if words else None


def _all_of(parts: Iterable[Query | None]) -> Query | None:
    """A group, where there are several."""
    wanted = tuple(part for part in parts if part is not None)
    return AllOf(wanted) if len(wanted) > 1 else next(iter(wanted), None)


def _words(sought: Iterable[Sought], left: Iterator[int]) -> tuple[Word, ...]:
    return tuple(Word(*one) for one, _ in zip(sought, left, strict=False))
