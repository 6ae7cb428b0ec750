"""All that an index says, by Whoosh's own reader: what two indexes of the same pages must have in common."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from whoosh import index as whoosh_index

from engine import generations
from engine.index.schema.schema import whoosh_schema

FIELDS = ("url", "host", "title", "anchor", "body", "rest")  # whose terms are compared


def content(data_dir: Path) -> dict[str, Any]:
    """Documents and their stored fields, and for every term of some fields the documents that hold it."""
    generation = generations.current_generation(data_dir)
    assert generation
    opened: Any = whoosh_index
    with (
        closing(opened.open_dir(str(generation.path), schema=whoosh_schema())) as index,
        closing(index.reader()) as reader,
    ):
        stored = dict(reader.iter_docs())
        found: dict[str, Any] = {fields["url"]: fields for fields in stored.values()}
        assert len(found) == len(stored) == reader.doc_count()
        for field in FIELDS:
            found[field] = dict(_terms(reader, field, stored))
    return found


def _terms(
    reader: Any, field: str, stored: dict[int, dict[str, Any]]
) -> Iterator[tuple[bytes, list[tuple[str, float]]]]:
    for term in reader.lexicon(field):
        matcher, holding = reader.postings(field, term), list[tuple[str, float]]()
        while matcher.is_active():
            holding.append((stored[matcher.id()]["url"], matcher.weight()))
            matcher.next()
        if holding:  # a term of deleted documents goes when segments are merged
            yield term, sorted(holding)
