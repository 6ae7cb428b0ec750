"""Defines a generation: one complete index, wherever it is kept."""

import sqlite3
from typing import Protocol

from whoosh.index import EmptyIndexError

from engine.errors import EngineError
from engine.linkgraph import GraphLocation

FORM = 9  # goes up when files or terms change, so that no index of another form is searched
UNREADABLE = (OSError, EngineError, EmptyIndexError, sqlite3.Error)  # what damaged or missing ones raise


class Generation(Protocol):
    """One complete index; all raises what UNREADABLE lists where it is damaged, gone or out of reach."""

    @property
    def name(self) -> str:
        """Its name: of those that are kept, a later one comes behind the others."""

    @property
    def where(self) -> str:
        """Where it is, for messages."""

    @property
    def links(self) -> GraphLocation:
        """Where its link graph is."""

    @property
    def caught_up(self) -> int:
        """The sequence number of the last change of the crawl database that is in it."""

    @property
    def caught_up_at(self) -> float:
        """When that was committed, in seconds since 1970, UTC."""

    @property
    def has_changes(self) -> bool:
        """Whether anything was committed to it; one that is empty was to become the first."""

    @property
    def source(self) -> str:
        """Which crawl database it follows (engine.database.identity); '': an older Lycosa wrote it."""

    @property
    def audiences(self) -> str:
        """The digest of the rules by which pages are hidden in it (engine.audience); '': none is."""

    @property
    def is_readable(self) -> bool:
        """Whether this Lycosa finds in it what it looks for."""

    @property
    def before(self) -> "Generation | None":
        """The one that was current before this was published, None when it is not kept any more."""

    @property
    def refusal_reasons(self) -> list[str]:
        """Why its gates refused it, a sentence each."""

    @property
    def nbytes(self) -> int:
        """What it takes on the disk, all its copies, in bytes."""

    def unreadable(self) -> EngineError:
        """Returns the error to raise where it is not readable."""

    def note_source(self, identity: str) -> None:
        """Notes which crawl database it follows."""

    def count_documents(self) -> int:
        """Counts the documents that can be found in it."""


def describe_other_form(where: str, form: int) -> EngineError:
    """Returns the error to raise for an index that another Lycosa has made."""
    return EngineError(
        f"the index in {where} has format {form}, and this Lycosa reads format {FORM}: run scrapy rebuild"
    )
