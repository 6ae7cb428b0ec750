"""Indexing: documents per second, size and memory beside Whoosh and Tantivy."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.corpora import natural
from benchmarks.corpora.stored import keep
from benchmarks.instruments.apart import Built, built
from benchmarks.instruments.row import Row, cost, rate, say
from benchmarks.instruments.walk import collect
from benchmarks.peers.contest import CONTESTANTS, NATIVE, OURS
from benchmarks.sites import Site
from engine.errors import EngineError
from engine.store.page_store import Store

PACKAGES = ("python3.11-doc",)


def rows(sites: Sequence[Site], pages: int | None) -> Iterator[Row]:
    """Ours and each peer, one after the other, from the same crawl database."""
    with corpus(sites, pages) as data_dir, ExitStack() as stack:
        yield from compared(made(data_dir, tuple(CONTESTANTS), stack))


def generated_rows(documents: int) -> Iterator[Row]:
    """Ours and the native peer, over so many generated documents."""
    with generated(documents) as data_dir, ExitStack() as stack:
        yield from compared(made(data_dir, (OURS, NATIVE), stack))


@contextmanager
def corpus(sites: Sequence[Site], pages: int | None) -> Iterator[Path]:
    """A data folder whose crawl database holds the pages of the sites. Raises EngineError for none."""
    say("reading the pages")
    with TemporaryDirectory() as folder:
        store = Store(Path(folder))
        collect(store, sites, pages)
        count = store.census().pages
        store.close()
        if not count:
            raise EngineError(f"there is no HTML page in {', '.join(str(site.root) for site in sites)}")
        say(f"{count} pages")
        yield Path(folder)


@contextmanager
def generated(documents: int) -> Iterator[Path]:
    """A data folder whose crawl database holds so many generated documents."""
    say(f"writing {documents:,} documents")
    with TemporaryDirectory() as folder:
        keep(Path(folder), natural.pages(documents))
        yield Path(folder)


@dataclass(frozen=True, slots=True)
class Made:
    """An index, and how its building went."""

    folder: Path
    went: Built


def made(data_dir: Path, names: Sequence[str], stack: ExitStack) -> dict[str, Made]:
    """Each contestant's index of the pages in the crawl database; the stack deletes them."""
    indexes = {}
    for name in names:
        say(f"indexing with {name}")
        folder = Path(stack.enter_context(TemporaryDirectory()))
        indexes[name] = Made(folder, built(name, data_dir, folder))
    return indexes


def compared(indexes: Mapping[str, Made]) -> Iterator[Row]:
    """How the indexes were built, ours beside each of the others."""
    ours = indexes[OURS].went
    for peer in (name for name in indexes if name != OURS):
        theirs = indexes[peer].went
        yield rate(
            "index.docs",
            ours.documents / ours.seconds,
            peer,
            theirs.documents / theirs.seconds,
        )
        yield cost("index.info.cpu_ms", ours.cpu_ms, peer, theirs.cpu_ms)
        yield cost("index.info.peak_mb", ours.peak_mb, peer, theirs.peak_mb)
        yield cost("index.info.disk_mb", ours.disk_mb, peer, theirs.disk_mb)
        yield cost("index.info.words_mb", ours.words_mb, peer, theirs.words_mb)
