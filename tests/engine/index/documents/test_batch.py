"""A batch of documents as a segment: what it holds under the keys of its documents."""

from pathlib import Path

import pytest

from engine import generations
from engine.index.indexing.batches import next_batch
from engine.index.indexing.writer import Writer, create_index
from engine.index.schema.schema import whoosh_schema
from engine.segment.draft import Draft
from tests.engine.index.source import Memory, corpus


@pytest.mark.parametrize(
    ("field", "terms", "each", "why"),
    [("url", 30, 1, "one of each"), ("host", 10, 3, "a host has several documents, and one entry")],
)
def test_documents_of_one_key_have_one_entry(
    tmp_path: Path, field: str, terms: int, each: int, why: str
) -> None:
    generation = generations.create_draft(tmp_path, "first")
    create_index(generation)
    writer = Writer(generation)
    writer.write(next_batch(Memory(*corpus(30)), 0))
    writer.close()
    (part,) = Draft(generation.path, whoosh_schema()).parts
    keys = part.arrays.numbers_with_prefix(field, "")
    postings, counts = part.arrays.postings_of_terms(keys)
    assert counts.tolist() == [each] * terms, why
    assert sorted(postings.documents.tolist()) == list(range(30)), why
