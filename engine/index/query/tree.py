"""Defines the query tree: nodes, each word with its terms in the languages of the index.

A word has one term for each way in which the languages of the index may spell it. A compound is found whole,
or by its parts side by side; a document that has it whole has both, so it comes first.

Query is closed: each match over it ends in assert_never, so mypy names them all when a node is added.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any


class _Terminal:
    """A node without children."""

    __slots__ = ()

    def children(self) -> tuple["Query", ...]:
        """Returns none."""
        return ()


@dataclass(frozen=True, slots=True)
class Word(_Terminal):
    """Documents that hold any of the terms: spellings of one word; those of its variants count less.

    `surface` is the word as it was typed, folded, '' for a part of it: it orders what is found, so words are
    equal without it.
    """

    terms: frozenset[str]
    variants: frozenset[str] = frozenset()
    surface: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Phrase:
    """Documents that hold the words side by side in one field, which may be given; `quoted` where somebody
    insists on that.
    """

    words: tuple[Word, ...]
    quoted: bool = field(default=False, compare=False)
    text: str = ""

    def children(self) -> tuple["Query", ...]:
        """Returns the words."""
        return self.words


@dataclass(frozen=True, slots=True)
class Compound:
    """Documents that hold a word of several parts: whole or, which counts less, its parts side by side."""

    whole: Word
    parts: Word | Phrase

    def children(self) -> tuple["Query", ...]:
        """Returns the whole word and its parts."""
        return self.whole, self.parts


@dataclass(frozen=True, slots=True)
class AllOf:
    """Documents that match every part and nothing of `but`; those of `only`, if any, as well.

    What is in `only` adds nothing to a score: without parts, all documents that it leaves are alike.
    """

    parts: tuple["Query", ...]
    but: tuple["Query", ...] = ()
    only: tuple["Query", ...] = ()

    def children(self) -> tuple["Query", ...]:
        """Returns the parts, without `but` and `only`."""
        return self.parts


@dataclass(frozen=True, slots=True)
class AnyOf:
    """Documents that match at least one part; of no parts, none."""

    parts: tuple["Query", ...]

    def children(self) -> tuple["Query", ...]:
        """Returns the parts."""
        return self.parts


@dataclass(frozen=True, slots=True)
class MostOf:
    """Documents that match every part; after them those that match the most telling ones (requirement 299).

    All match `must` and `only`, and nothing of `but`. What misses a part that is a Boost has them all, too.
    """

    parts: tuple["Query", ...]
    must: tuple["Query", ...] = ()
    but: tuple["Query", ...] = ()
    only: tuple["Query", ...] = ()

    def children(self) -> tuple["Query", ...]:
        """Returns the parts and `must`, without `but` and `only`."""
        return (*self.parts, *self.must)


@dataclass(frozen=True, slots=True)
class AndMaybe:
    """Documents that match the part; those that match `maybe`, too, are better."""

    part: "Query"
    maybe: "Query"

    def children(self) -> tuple["Query", ...]:
        """Returns the part, and what makes it better."""
        return self.part, self.maybe


@dataclass(frozen=True, slots=True)
class Boost:
    """Documents that match the part; it counts so many times as much."""

    part: "Query"
    factor: float

    def children(self) -> tuple["Query", ...]:
        """Returns the part."""
        return (self.part,)


@dataclass(frozen=True, slots=True)
class Prefix(_Terminal):
    """Documents that hold a term with this beginning in any text, or a word as it is typed."""

    beginning: str


@dataclass(frozen=True, slots=True)
class Field(_Terminal):
    """Documents that hold a term in one of the texts, or have it as a key (schema.KEYS)."""

    name: str
    term: str
    shown: str = field(default="", compare=False)  # in place of a term that tells nobody anything


@dataclass(frozen=True, slots=True)
class Range(_Terminal):
    """Documents that have a key from the first to the last, these included."""

    key: str
    first: str
    last: str


@dataclass(frozen=True, slots=True)
class Every(_Terminal):
    """All documents."""


@dataclass(frozen=True, slots=True)
class Matched(_Terminal):
    """Documents that match one of Whoosh's own queries over the index's fields; all are alike."""

    query: Any


Query = (
    Word
    | Phrase
    | Compound
    | AllOf
    | AnyOf
    | MostOf
    | AndMaybe
    | Boost
    | Prefix
    | Field
    | Range
    | Every
    | Matched
)

NOTHING = AnyOf(())


def walk(query: Query) -> Iterator[Query]:
    """Walks a query in preorder: itself, and all that a matching document may hold."""
    yield query
    for child in query.children():
        yield from walk(child)
