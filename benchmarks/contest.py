"""What takes part in the index and query benchmarks: ours and two peers, behind one interface."""

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Protocol

from benchmarks.walk import disk_bytes
from engine.page import Page
from engine.store.pages import Store

OURS = "lycosa"
# Each module has build(store, folder) and open_index(folder).
CONTESTANTS = {
    OURS: "benchmarks.ours",
    "whoosh": "benchmarks.peers.whoosh_index",
    "tantivy": "benchmarks.peers.tantivy_index",
}
PEERS = tuple(name for name in CONTESTANTS if name != OURS)
BATCH = 200  # pages in memory at once
TOP = 10  # hits that a query asks for
MEGABYTE = 1e6


@dataclass(frozen=True, slots=True)
class Asked:
    """A query before anybody's syntax: kind 'or', 'and' or 'phrase', words in lower case."""

    kind: str
    words: tuple[str, ...]


class Opened(Protocol):
    """An index, open for queries."""

    def parse(self, asked: Asked) -> Any:
        """The query as this index wants it."""

    def find(self, parsed: Any) -> Sequence[str]:
        """The URLs of the first TOP hits."""

    def close(self) -> None:
        """Give the files back."""


@dataclass(frozen=True, slots=True)
class Built:
    """How the building of an index went."""

    documents: int
    seconds: float
    peak_mb: float  # of the whole process
    disk_mb: float


def pages(store: Store) -> Iterator[Page]:
    """Every stored page, a batch at a time, as ours reads them too."""
    after = 0
    while changes := store.changes(after, BATCH):
        yield from (change.page for change in changes if change.page)
        after = changes[-1].seq


def built(name: str, data_dir: Path, folder: Path) -> Built:
    """Build a contestant's index from a crawl database, in a process of its own."""
    context = get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        return pool.submit(_build, name, data_dir, folder).result()


def opened(name: str, folder: Path) -> Opened:
    """A contestant's index, once it is built."""
    index: Opened = import_module(CONTESTANTS[name]).open_index(folder)
    return index


def _build(name: str, data_dir: Path, folder: Path) -> Built:
    module = import_module(CONTESTANTS[name])
    with closing(Store(data_dir)) as store:
        began = time.perf_counter()
        module.build(store, folder)
        seconds = time.perf_counter() - began
        documents = store.census().pages
    return Built(documents, seconds, _peak_bytes() / MEGABYTE, disk_bytes(folder) / MEGABYTE)


def _peak_bytes() -> int:
    """The most memory that this process ever held; getrusage would count the parent's."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:"))
