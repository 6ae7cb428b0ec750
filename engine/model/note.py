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

    PARTIAL_MATCHES = "partial-matches"  # no page has all that was asked for
    PARTIAL_MATCHES_AFTER = "partial-matches-after"  # few pages have all, others come after them
    QUERY_TOO_LONG = "query-too-long"  # the query's end was not read
    TOO_MANY_WORDS = "too-many-words"  # words
    UNBALANCED_QUOTE = "unbalanced-quote"  # the second quotation mark is missing
    DANGLING_OPERATOR = "dangling-operator"  # OR, AND, NOT with nothing on one side
    ONLY_NEGATIVE = "only-negative"  # nothing else is wanted
    OPERATORS_AS_WORDS = "operators-as-words"  # as operators they find nothing
    NEGATIVE_IN_OR = "negative-in-or"  # all pages without a word are no alternative
    SHORT_PREFIX = "short-prefix"
    TOO_MANY_EXPANSIONS = "too-many-expansions"  # the rarest words with a beginning were left out
    ORDER_IGNORED = "order-ignored"  # inurl: with a phrase
    INDEX_DAMAGED = "index-damaged"  # part of the index cannot be read


_ENGLISH: Mapping[str, Message] = {
    NoteKind.PARTIAL_MATCHES: Message("No page has all of these words. These have some of them."),
    NoteKind.PARTIAL_MATCHES_AFTER: Message(
        "Pages that contain every word: {limit}. Partial matches follow."
    ),
    NoteKind.QUERY_TOO_LONG: Message("Only the first {limit} characters were searched for."),
    NoteKind.TOO_MANY_WORDS: Message("Only the first {limit} words were searched for."),
    NoteKind.UNBALANCED_QUOTE: Message(
        "A quotation mark is not closed, so the words after it are not a phrase."
    ),
    NoteKind.DANGLING_OPERATOR: Message("“{input}” has no word next to it, so it was read as a word."),
    NoteKind.ONLY_NEGATIVE: Message("A minus needs another word to search for, so it was ignored."),
    NoteKind.OPERATORS_AS_WORDS: Message(
        "“{input}” was read as plain words, because its operators leave nothing to find."
    ),
    NoteKind.NEGATIVE_IN_OR: Message("A word with a minus cannot be a side of OR; it was ignored."),
    NoteKind.SHORT_PREFIX: Message("“{input}” was read as a word: a prefix has {limit} letters or more."),
    NoteKind.TOO_MANY_EXPANSIONS: Message(
        "Many words begin with “{input}”; the {limit} most common ones were searched for."
    ),
    NoteKind.ORDER_IGNORED: Message("“{input}”: addresses were searched for these words in any order."),
    NoteKind.INDEX_DAMAGED: Message(
        "A part of the index is damaged, so pages may be missing until it is rebuilt."
    ),
}


@dataclass(frozen=True, slots=True)
class Note:
    """One thing to be said: `input` is what was typed, `limit` a number; both only where the kind has them.

    A kind that is none of NoteKind brings its `template`: what is said of a malformed value stands in the
    table of operators.
    """

    kind: str
    input: str = ""
    limit: int = 0
    template: Message | None = None

    def __str__(self) -> str:
        """Returns the sentence in English."""
        return str(self.sentence)

    @property
    def sentence(self) -> Message:
        """A sentence on one line, without characters that could turn it round or colour it."""
        types = ", ".join(FILETYPES)
        template = self.template or _ENGLISH[self.kind]
        return template.filled(input=_legible(self.input), limit=self.limit, types=types)

    def as_object(self) -> dict[str, object]:
        """Returns the value for JSON."""
        return {"kind": self.kind, "input": _legible(self.input), "limit": self.limit, "text": str(self)}


def _legible(said: str) -> str:
    shown = "".join(one if one.isprintable() or one == _SPELLING else " " for one in said[: MAX_SAID + 1])
    return shown if len(shown) <= MAX_SAID else f"{shown[: MAX_SAID - 1]}…"
