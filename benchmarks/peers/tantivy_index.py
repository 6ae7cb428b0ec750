"""Tantivy, a native engine, with its English stemmer and one thread."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import tantivy

from benchmarks.peers.contest import TOP, BenchmarkQuery, StoredFields, pages

if TYPE_CHECKING:  # as in benchmarks.peers.contest
    from engine.store.page_store import Store

FIELDS = ["title", "headings", "body"]
HEAP = 200_000_000  # bytes
STORED = ".store"  # how the names of files end that hold stored fields


class TantivyIndex:
    """A searcher over one index."""

    def __init__(self, folder: Path) -> None:
        self._index = tantivy.Index.open(str(folder))
        self._searcher = self._index.searcher()

    def parse(self, asked: BenchmarkQuery) -> Any:
        """Tantivy's own query language."""
        words = " ".join(asked.words)
        typed = f'"{words}"' if asked.kind == "phrase" else words
        return self._index.parse_query(typed, FIELDS, conjunction_by_default=asked.kind == "and")

    def find(self, parsed: Any) -> Sequence[Any]:
        """The first hits, without a count of all: so it may skip what cannot be among them."""
        hits: Sequence[Any] = self._searcher.search(parsed, TOP, count=False).hits
        return hits

    def kept(self, found: Sequence[Any]) -> list[StoredFields]:
        """Tantivy unpacks all stored fields of a hit at once."""
        documents = [self._searcher.doc(address) for _, address in found]
        return [StoredFields(one["url"][0], one["title"][0], one["body"][0]) for one in documents]

    def close(self) -> None:
        """Nothing to give back."""


def build(store: "Store", folder: Path) -> None:
    """One commit."""
    schema = tantivy.SchemaBuilder().add_text_field("url", stored=True, tokenizer_name="raw")
    for field in FIELDS:
        schema = schema.add_text_field(field, stored=True, tokenizer_name="en_stem")
    writer = tantivy.Index(schema.build(), str(folder)).writer(HEAP, num_threads=1)
    for page in pages(store):
        headings = "\n".join(section.heading for section in page.sections)
        body = "\n".join(section.text for section in page.sections)
        writer.add_document(tantivy.Document(url=page.url, title=page.title, headings=headings, body=body))
    writer.commit()
    writer.wait_merging_threads()


def open_index(folder: Path) -> TantivyIndex:
    """Open what build() made."""
    return TantivyIndex(folder)


def text_bytes(folder: Path) -> int:
    """The files of stored fields."""
    return sum(path.stat().st_size for path in folder.glob(f"*{STORED}"))
