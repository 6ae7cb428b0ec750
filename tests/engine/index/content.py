"""All that an index says: what two indexes of the same pages must have in common.

Of one in a folder Whoosh's own reader tells, of a cluster's what it returns of all documents: what is stored
of them, and their term vectors.
"""

from base64 import b64decode, urlsafe_b64decode
from collections.abc import Iterator
from contextlib import closing
from typing import Any

from whoosh import index as whoosh_index

from engine import generations
from engine.generations import ClusterGeneration, Generation, IndexLocation
from engine.index.cluster_form.mapping import HEAD, RECORD, part_field
from engine.index.cluster_form.term_selection import select_terms
from engine.index.cluster_form.term_vectors import PARTS, FetchedVector
from engine.index.schema import LAYOUT, TEXT_FIELDS
from engine.index.schema.schema import whoosh_schema
from engine.opensearch import share_client
from engine.segment import stored
from tests.engine.generations.folders import in_folder

MOST = 10_000  # documents
COLUMNS = ("url", "host", "language", "type", "day")
FIELDS = ("url", "host", "title", "anchor", "body", "rest")  # whose terms are compared


def content(location: IndexLocation) -> dict[str, Any]:
    """Documents and their stored fields, and for every term of some fields the documents that hold it."""
    generation: Generation | None = generations.current_generation(location)
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
    client, parts = share_client(generation.index.cluster), {part_field(part): part for part in range(PARTS)}
    asked = {"size": MOST, "stored_fields": [RECORD], "docvalue_fields": [*COLUMNS, HEAD, *parts]}
    answer = client.search(index=generation.name, body=asked, request_timeout=60)
    hits, found = [hit["fields"] for hit in answer["hits"]["hits"]], dict[str, Any]()
    for hit in hits:
        there = {part: _decode(hit[name][0]) for name, part in parts.items() if name in hit}
        vector = FetchedVector(_decode(hit[HEAD][0]), there)
        record = stored.unpack_fields(b64decode(hit[RECORD][0]))
        columns = {name: hit.get(name) for name in COLUMNS}
        found[hit["url"][0]] = record | columns | _read_vector(vector)
    assert len(found) == len(hits) == answer["hits"]["total"]["value"] < MOST
    return found


def _read_vector(vector: FetchedVector) -> dict[str, Any]:
    """Lengths, ends of headings, and of each term of a text in which of them it stands, and where.

    Numbers of pages that it links to are another graph's.
    """
    read = select_terms([vector], [], [LAYOUT.group(TEXT_FIELDS[0])])
    entries = zip(read.entries.terms, read.entries.columns, read.entries.positions, strict=True)
    return {
        "lengths": read.lengths[0].tolist(),
        "heading ends": read.heading_ends[0].tolist(),
        "said": sorted((read.keys[term], column, position) for term, column, position in entries),
    }


def _decode(text: str) -> bytes:
    """A binary doc value: URL-safe base64 without padding."""
    return urlsafe_b64decode(text + "==")
