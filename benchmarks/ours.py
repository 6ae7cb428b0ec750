"""Lycosa's index as a contestant."""

from collections.abc import Sequence
from pathlib import Path

from benchmarks.contest import TOP, Asked
from engine.index import generations
from engine.index.query import Query, parse
from engine.index.reader import Cache
from engine.index.rebuild import rebuild
from engine.index.scoring import Ranking
from engine.index.snapshot import Snapshot
from engine.store.pages import Store


class Index:
    """One snapshot, as a search has it; what it finds is ranked in full, inlink weight included."""

    def __init__(self, folder: Path) -> None:
        generation = generations.current(folder)
        assert generation
        self._snapshot = Snapshot(generation, Cache(), Ranking())

    def parse(self, asked: Asked) -> Query:
        """As a person types it."""
        words = (" OR " if asked.kind == "or" else " ").join(asked.words)
        return parse(f'"{words}"' if asked.kind == "phrase" else words, self._snapshot.reader.languages)

    def find(self, parsed: Query) -> Sequence[str]:
        """The first hits."""
        return [hit.url for hit in self._snapshot.ranked(self._snapshot.find(parsed), TOP)]

    def close(self) -> None:
        """Give the files back."""
        self._snapshot.close()


def build(store: Store, folder: Path) -> None:
    """The rebuild: link graph, anchor texts and all."""
    rebuild(store, folder)


def open_index(folder: Path) -> Index:
    """Open what build() made."""
    return Index(folder)
