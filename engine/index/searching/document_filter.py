"""Narrows a search to some documents, whatever is asked for."""

from typing import NamedTuple

from engine.index.query import Query
from engine.index.reader import Documents


class DocumentFilter(NamedTuple):
    """The documents that match a query, for searches of the snapshot that made it; no score is moved.

    `documents` are their numbers (ascending), where the snapshot has numbers for all.
    """

    query: Query
    documents: Documents | None = None


def accepted_by(only: DocumentFilter | None) -> Documents | None:
    """Returns the documents that a filter leaves, None for all."""
    return only.documents if only else None
