"""Defines what writes changes into one generation: link graph and templates first, then documents."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engine.index.documents.document_builder import DocumentBuilder
from engine.packing import PackedPage
from engine.store import Change

BATCH_BYTES = 4_000_000  # of text and links to a commit; bounds its memory and how long it takes


class IndexWriter(DocumentBuilder, ABC):
    """One generation, open for writing; the caller holds the lock that makes it the only one.

    Documents are replaced by URL, so writing the same changes again does no harm.
    """

    def measure(self, samples: Iterable[Sequence[Change]]) -> None:
        """Measures on some of the pages what weights depend on, where these are written down; the links and
        templates of all are known.
        """

    @abstractmethod
    def list_stale(self, limit: int) -> list[Change]:
        """Lists documents to index again because the words of their inlinks or a template changed, as
        stored.
        """

    @abstractmethod
    def write(self, changes: Sequence[Change], stale: Sequence[Change] = ()) -> None:
        """Replaces, adds and deletes the documents of these changes, and of what is stale, in one commit."""

    @abstractmethod
    def fill(self, changes: Sequence[Change]) -> None:
        """Adds documents, none of which is there yet, to an index that nobody searches."""

    @abstractmethod
    def update_votes(self) -> bool:
        """Gives every document the votes that its inlinks cast now; returns whether any changed."""

    @abstractmethod
    def merge(self) -> None:
        """Completes an index that was filled, with the votes of now."""

    @abstractmethod
    def expunge(self) -> None:
        """Has the texts of deleted documents leave the disk."""

    @abstractmethod
    def mark_committed(self, change: int) -> None:
        """Marks that all up to this change is committed; a kill before this replays a batch."""

    @abstractmethod
    def count_documents(self) -> int:
        """Counts the documents that the committed index holds."""


def make_change(stored: Mapping[str, Any]) -> Change:
    """Makes a change of what is stored of a document, to index it again."""
    packed = PackedPage(stored["content"], stored["language"], stored["media_type"])
    return Change(0, stored["url"], packed, stored["fetched_at"])
