"""All that an index says: what two indexes of the same pages must have in common.

Of one in a folder Whoosh's own reader tells, of a cluster's what it returns of all documents: what is stored
of them, and their term vectors.
"""

from base64 import b64decode
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from whoosh import index as whoosh_index

from engine import generations
from engine.generations import ClusterGeneration, Generation
from engine.index.cluster_indexing.mapping import HEAD, RECORD, part_field
from engine.index.cluster_indexing.term_vectors import PARTS
from engine.index.schema.schema import whoosh_schema
from engine.opensearch import share_client
from engine.segment import stored
from tests.engine.generations.folders import in_folder

MOST = 10_000  # documents
COLUMNS = ("url", "host", "language", "type", "day", HEAD, *map(part_field, range(PARTS)))
FIELDS = ("url", "host", "title", "anchor", "body", "rest")  # whose terms are compared


def content(data_dir: Path) -> dict[str, Any]:
    """Documents and their stored fields, and for every term of some fields the documents that hold it."""
    generation: Generation | None = generations.current_generation(data_dir)
    if isinstance(generation, ClusterGeneration):
        return _of_cluster(generation)
    folder = in_folder(generation)
    opened: Any = whoosh_index
    with (
        closing(opened.open_dir(str(folder.path), schema=whoosh_schema())) as index,
        closing(index.reader()) as reader,
    ):
        documents = dict(reader.iter_docs())
        found: dict[str, Any] = {fields["url"]: fields for fields in documents.values()}
        assert len(found) == len(documents) == reader.doc_count()
        for field in FIELDS:
            found[field] = dict(_terms(reader, field, documents))
    return found


def _terms(
    reader: Any, field: str, documents: dict[int, dict[str, Any]]
) -> Iterator[tuple[bytes, list[tuple[str, float]]]]:
    for term in reader.lexicon(field):
        matcher, holding = reader.postings(field, term), list[tuple[str, float]]()
        while matcher.is_active():
            holding.append((documents[matcher.id()]["url"], matcher.weight()))
            matcher.next()
        if holding:  # a term of deleted documents goes when segments are merged
            yield term, sorted(holding)


def _of_cluster(generation: ClusterGeneration) -> dict[str, Any]:
    client = share_client(generation.index.cluster)
    asked = {"size": MOST, "stored_fields": [RECORD], "docvalue_fields": list(COLUMNS)}
    answer = client.search(index=generation.name, body=asked, request_timeout=60)
    hits = [hit["fields"] for hit in answer["hits"]["hits"]]
    found = {hit["url"][0]: {name: hit[name] for name in COLUMNS if name in hit} for hit in hits}
    for hit in hits:
        found[hit["url"][0]] |= stored.unpack_fields(b64decode(hit[RECORD][0]))
    assert len(found) == len(hits) == answer["hits"]["total"]["value"] < MOST
    return found
