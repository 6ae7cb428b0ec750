"""Whoosh with its default codec, its BM25F and Snowball's English stemmer."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from whoosh import index as whoosh_index
from whoosh.analysis.filters import LowercaseFilter
from whoosh.analysis.morph import PyStemmerFilter
from whoosh.analysis.tokenizers import RegexTokenizer
from whoosh.codec.whoosh3 import W3Codec
from whoosh.fields import ID, STORED, TEXT, Schema
from whoosh.qparser.default import MultifieldParser

from benchmarks.peers.contest import TOP, BenchmarkQuery, StoredFields, pages

if TYPE_CHECKING:  # as in benchmarks.peers.contest
    from engine.store.page_store import Store

FIELDS = ("title", "headings", "body")
_WHOOSH: Any = whoosh_index  # half of its functions are not annotated
_STEMS: Any = PyStemmerFilter
_CODEC: Any = W3Codec
_JOINED = {"or": " OR ", "and": " AND ", "phrase": " "}


class WhooshIndex:
    """A searcher over one index."""

    def __init__(self, folder: Path) -> None:
        self._index = _WHOOSH.open_dir(str(folder))
        self._searcher = self._index.searcher()
        self._parser: Any = MultifieldParser(FIELDS, self._index.schema)

    def parse(self, asked: BenchmarkQuery) -> Any:
        """Whoosh's own query language."""
        words = _JOINED[asked.kind].join(asked.words)
        return self._parser.parse(f'"{words}"' if asked.kind == "phrase" else words)

    def find(self, parsed: Any) -> Sequence[Any]:
        """The first hits, their stored fields not yet read."""
        return list(self._searcher.search(parsed, limit=TOP))

    def kept(self, found: Sequence[Any]) -> list[StoredFields]:
        """Whoosh reads the fields of a hit when they are asked for."""
        return [StoredFields(hit["url"], hit["title"], hit["text"]) for hit in found]

    def close(self) -> None:
        """Give the files back."""
        self._searcher.close()
        self._index.close()


def build(store: "Store", folder: Path) -> None:
    """One commit; Whoosh writes to disk whenever its 128 MB are full."""
    analyzer: Any = RegexTokenizer() | LowercaseFilter() | _STEMS("english")
    fields = {name: TEXT(analyzer=analyzer, phrase=True, stored=name == "title") for name in FIELDS}
    created = _WHOOSH.create_in(str(folder), Schema(url=ID(stored=True), text=STORED(), **fields))
    writer = created.writer()
    for page in pages(store):
        writer.add_document(
            url=page.url,
            title=page.title,
            headings="\n".join(section.heading for section in page.sections),
            body="\n".join(section.text for section in page.sections),
            text=page.text,
        )
    writer.commit()
    created.close()


def open_index(folder: Path) -> WhooshIndex:
    """Open what build() made."""
    return WhooshIndex(folder)


def text_bytes(folder: Path) -> int:
    """The column of stored fields in each segment."""
    opened = _WHOOSH.open_dir(str(folder))
    try:
        return sum(_stored_bytes(opened, segment) for segment in opened._segments())
    finally:
        opened.close()


def _stored_bytes(opened: Any, segment: Any) -> int:
    storage = segment.open_compound_file(opened.storage) if segment.is_compound() else opened.storage
    length: int = storage.file_length(_CODEC.column_filename(segment, "_stored"))
    return length
