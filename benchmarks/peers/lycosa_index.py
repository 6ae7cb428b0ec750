"""Lycosa's index as a contestant."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.peers.contest import TOP, BenchmarkQuery, StoredFields
from engine import generations
from engine.errors import IndexMissing
from engine.generations import FolderGeneration
from engine.index.query.parser import parse_tree
from engine.index.query.tree import Query
from engine.index.reader.cache import IndexCache
from engine.index.searching.directory_snapshot import DirectorySnapshot
from engine.index.searching.index_searcher import RankedDocument
from engine.index.stored_pages.stored_page import StoredPage
from engine.ranking import Ranking
from engine.segment.folder import read_contents
from engine.segment.sections import Sections

if TYPE_CHECKING:  # as in benchmarks.peers.contest
    from engine.store.page_store import Store

STORED = ("stored", "stored.starts")  # arrays of a segment


class LycosaIndex:
    """One snapshot, as a search has it; what it finds is ranked in full, inlink weight included."""

    def __init__(self, folder: Path) -> None:
        self.snapshot = DirectorySnapshot(_generation(folder), IndexCache(), Ranking())

    def parse(self, asked: BenchmarkQuery) -> Query:
        """As a person types it."""
        words = (" OR " if asked.kind == "or" else " ").join(asked.words)
        return self.typed(f'"{words}"' if asked.kind == "phrase" else words)

    def typed(self, text: str) -> Query:
        """What a person typed."""
        return parse_tree(text, self.snapshot.reader.languages)

    def find(self, parsed: Query) -> Sequence[RankedDocument]:
        """The first hits."""
        return self.snapshot.rank(self.snapshot.find(parsed), TOP)

    def kept(self, found: Sequence[RankedDocument]) -> list[StoredFields]:
        """The pages as hits show them."""
        return [StoredFields(page.url, page.title, page.text) for page in self.pages(found)]

    def pages(self, found: Sequence[RankedDocument]) -> list[StoredPage]:
        """The same before their texts are put together."""
        return [self.snapshot.reader.page(hit.document) for hit in found]

    def close(self) -> None:
        """Give the files back."""
        self.snapshot.close()


def build(store: "Store", folder: Path) -> None:
    """The rebuild: link graph, anchor texts and all."""
    from engine.index.indexing.rebuild import (
        rebuild_index,  # here, because a searcher's process shall not have it
    )

    rebuild_index(store, folder)


def open_index(folder: Path) -> LycosaIndex:
    """Open what build() or a crawl made. Raises IndexMissing when there is nothing."""
    return LycosaIndex(folder)


def text_bytes(folder: Path) -> int:
    """Stored texts, and the link graph with clusters and templates, which the peers have not."""
    generation = _generation(folder)
    opened = [
        Sections(generation.path / segment.file("arrays"))
        for segment in read_contents(generation.path).segments
    ]
    stored = sum(segment.array(name).nbytes for segment in opened for name in STORED)
    return stored + generation.links.stat().st_size


def _generation(folder: Path) -> FolderGeneration:
    generation = generations.current_generation(folder)
    if generation is None:
        raise IndexMissing(f"there is no index in {folder} yet; 'scrapy crawl web' makes one")
    return generation
