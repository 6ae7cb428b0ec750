"""Notes on how a query was read: a kind and its values, to be translated."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from engine.formats import FILETYPES
from engine.model.message import Message

MAX_SAID = 60  # characters of what was typed that a note repeats
_SPELLING = "\N{ZERO WIDTH NON-JOINER}"  # not printable, but Persian words have it


class NoteKind(StrEnum):
    """What a note says, malformed values of operators apart; programs get the word."""

    SOME_WORDS = "some-words"  # no page has all that was asked for
    SOME_AFTER = "some-after"  # few pages have all, others come after them
    TOO_LONG = "too-long"  # the query's end was not read
    TOO_MANY = "too-many"  # words
    OPEN_QUOTE = "open-quote"  # the second quotation mark is missing
    LOOSE_OPERATOR = "loose-operator"  # OR, AND, NOT with nothing on one side
    MINUS_ALONE = "minus-alone"  # nothing else is wanted
    MINUS_IN_OR = "minus-in-or"  # all pages without a word are no alternative
    SHORT_BEGINNING = "short-beginning"
    MANY_BEGIN_SO = "many-begin-so"  # the rarest words with a beginning were left out
    NO_ORDER = "no-order"  # inurl: with a phrase
    DAMAGED = "damaged"  # part of the index cannot be read


_ENGLISH: Mapping[str, Message] = {
    NoteKind.SOME_WORDS: Message("No page has all of these words. These have some of them."),
    NoteKind.SOME_AFTER: Message(
        "Pages with all of these words: {limit}. After them come pages with most of them."
    ),
    NoteKind.TOO_LONG: Message("Only the first {limit} characters were searched for."),
    NoteKind.TOO_MANY: Message("Only the first {limit} words were looked for."),
    NoteKind.OPEN_QUOTE: Message("A quotation mark has no second one, so what follows it is no phrase."),
    NoteKind.LOOSE_OPERATOR: Message("“{said}” lacks a word beside it, so it was taken as a word itself."),
    NoteKind.MINUS_ALONE: Message(
        "A minus leaves out only where something else is wanted; here it was ignored."
    ),
    NoteKind.MINUS_IN_OR: Message("What has a minus cannot be one of the sides of OR; it was ignored."),
    NoteKind.SHORT_BEGINNING: Message(
        "“{said}” was taken as a word: a beginning of words has {limit} letters or more."
    ),
    NoteKind.MANY_BEGIN_SO: Message(
        "Many words begin as “{said}” does; the {limit} commonest of them were looked for."
    ),
    NoteKind.NO_ORDER: Message("“{said}”: addresses were searched for these words in any order."),
    NoteKind.DAMAGED: Message(
        "A part of the index is damaged, so pages may be missing until it is made afresh."
    ),
}


@dataclass(frozen=True, slots=True)
class Note:
    """One thing to be said: `said` is what was typed, `limit` a number; both only where the kind has them.

    A kind that is none of NoteKind brings its `template`: what is said of a malformed value stands in the
    table of operators.
    """

    kind: str
    said: str = ""
    limit: int = 0
    template: Message | None = None

    def __str__(self) -> str:
        """The sentence in English."""
        return str(self.sentence)

    @property
    def sentence(self) -> Message:
        """A sentence on one line, without characters that could turn it round or colour it."""
        types = ", ".join(FILETYPES)
        template = self.template or _ENGLISH[self.kind]
        return template.filled(said=_legible(self.said), limit=self.limit, types=types)

    def as_object(self) -> dict[str, object]:
        """The JSON shape."""
        return {"kind": self.kind, "said": _legible(self.said), "limit": self.limit, "text": str(self)}


def _legible(said: str) -> str:
    shown = "".join(one if one.isprintable() or one == _SPELLING else " " for one in said[: MAX_SAID + 1])
    return shown if len(shown) <= MAX_SAID else f"{shown[: MAX_SAID - 1]}…"
