"""Narrows a search to what a person has chosen: a label, a host, a language, a type, a span of days."""

from engine.index.query import CHOICES, AnyOf, Query, match_keys
from engine.index.searching.document_filter import DocumentFilter
from engine.index.searching.labels import Labels
from engine.index.searching.snapshot import Snapshot
from engine.model import SearchFilters


def filter_choice(snapshot: Snapshot, choice: SearchFilters, labels: Labels) -> DocumentFilter | None:
    """Filters the documents by a choice, None for all; a malformed value or an unknown label leaves none."""
    chosen = [_parse_choice(field, value, labels) for field, value in choice.chosen.items()]
    return snapshot.filter(tuple(map(AnyOf, chosen))) if chosen else None


def _parse_choice(field: str, value: str, labels: Labels) -> tuple[Query, ...]:
    """Parses a value that was chosen into queries, any of which a document matches."""
    return tuple(labels.get(value, ()) if field == "label" else map(match_keys, CHOICES[field](value)))
