"""What takes part in the index and query benchmarks: ours and its peers, behind one interface.

What is alike: the same pages out of the same crawl database, whose reading is part of everybody's work; one
process, one thread that indexes; English stems; positions kept; titles and texts stored; the first TOP hits,
parsed by the contestant's own parser. What is not:

- Lycosa has eight fields (the words of links, addresses, descriptions, keywords and menus too) in every
  language, builds the link graph and host templates first, and ranks in full: weighted frequencies added up
  over the fields, nearness, typed forms, inlink weight, matches counted exactly.
- The others have three fields (title, headings, body) in English, and add up a BM25 score of each.
- Tantivy and FTS5 count no matches, Lucene a thousand: so Tantivy and Lucene may skip what cannot be among
  the first. Tantivy's one thread works beside the one that reads the pages, and both merge in threads of
  their own: hence a row for CPU.
- Lucene is there where Java is and its jars are, as `make opensearch-server` fetches them.
"""

import shutil
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from engine.model.page import Page

if TYPE_CHECKING:  # a searcher's process, whose memory is measured, has no crawl database
    from engine.store.page_store import Store

OURS = "lycosa"
# Each module has build(store, folder), open_index(folder), and text_bytes(folder): what of the folder is not
# the index of words, but the stored texts or the link graph.
CONTESTANTS = {
    OURS: "benchmarks.peers.lycosa_index",
    "whoosh": "benchmarks.peers.whoosh_index",
    "tantivy": "benchmarks.peers.tantivy_index",
    "fts5": "benchmarks.peers.fts5_index",
    "lucene": "benchmarks.peers.lucene_index",
}
LUCENE_JARS = Path(__file__).parents[2] / "build" / "opensearch"
NATIVE = "tantivy"  # the peer that copes with any number of documents
BATCH = 200  # pages in memory at once
TOP = 10  # hits that a query asks for


class BenchmarkQuery(NamedTuple):
    """A query before anybody's syntax: kind 'or', 'and' or 'phrase', words in lower case."""

    kind: str
    words: tuple[str, ...]


class StoredFields(NamedTuple):
    """The stored fields of a hit."""

    url: str
    title: str
    text: str


class OpenIndex(Protocol):
    """An index, open for queries."""

    def parse(self, asked: BenchmarkQuery) -> Any:
        """The query as this index wants it."""

    def find(self, parsed: Any) -> Sequence[Any]:
        """The first TOP hits, best first, as this index names documents."""

    def kept(self, found: Sequence[Any]) -> list[StoredFields]:
        """Their stored fields, unpacked."""

    def close(self) -> None:
        """Give the files back."""


def pages(store: "Store") -> Iterator[Page]:
    """Every stored page, a batch at a time, as ours reads them too."""
    after = 0
    while changes := store.changes(after, BATCH):
        yield from (change.page for change in changes if change.page)
        after = changes[-1].seq


def list_contestants() -> tuple[str, ...]:
    """Names those that this machine has."""
    has_lucene = shutil.which("java") and any(LUCENE_JARS.glob("lucene-core-*.jar"))
    return tuple(name for name in CONTESTANTS if has_lucene or name != "lucene")


def load_contestant(name: str) -> Any:
    """The module that builds and opens a contestant's index."""
    return import_module(CONTESTANTS[name])


def open_contestant(name: str, folder: Path) -> OpenIndex:
    """A contestant's index, once it is built."""
    index: OpenIndex = load_contestant(name).open_index(folder)
    return index
