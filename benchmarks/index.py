"""Measures indexing: documents per second, size and memory beside Whoosh, Tantivy, FTS5 and Lucene."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.corpora import natural
from benchmarks.corpora.stored import store_pages
from benchmarks.instruments.apart import BuildCosts, build_apart
from benchmarks.instruments.row import Row, cost_row, rate_row, report_progress
from benchmarks.instruments.walk import collect_pages
from benchmarks.peers.contest import NATIVE, OURS, list_contestants
from benchmarks.sites import Site
from engine.errors import EngineError
from engine.store.page_store import Store

PACKAGES = ("python3.11-doc",)


def rows(sites: Sequence[Site], pages: int | None) -> Iterator[Row]:
    """Ours and each peer, one after the other, from the same crawl database."""
    with store_corpus(sites, pages) as data_dir, ExitStack() as stack:
        yield from compare_builds(build_indexes(data_dir, list_contestants(), stack))


def generated_rows(documents: int) -> Iterator[Row]:
    """Ours and the native peer, over so many generated documents."""
    with store_generated(documents) as data_dir, ExitStack() as stack:
        yield from compare_builds(build_indexes(data_dir, (OURS, NATIVE), stack))


@contextmanager
def store_corpus(sites: Sequence[Site], pages: int | None) -> Iterator[Path]:
    """A data folder whose crawl database holds the pages of the sites. Raises EngineError for none."""
    report_progress("reading the pages")
    with TemporaryDirectory() as folder:
        store = Store(Path(folder))
        collect_pages(store, sites, pages)
        count = store.census().pages
        store.close()
        if not count:
            raise EngineError(f"there is no HTML page in {', '.join(str(site.root) for site in sites)}")
        report_progress(f"{count} pages")
        yield Path(folder)


@contextmanager
def store_generated(documents: int) -> Iterator[Path]:
    """A data folder whose crawl database holds so many generated documents."""
    report_progress(f"writing {documents:,} documents")
    with TemporaryDirectory() as folder:
        store_pages(Path(folder), natural.generate_documents(documents))
        yield Path(folder)


@dataclass(frozen=True, slots=True)
class BuiltIndex:
    """An index, and how its building went."""

    folder: Path
    went: BuildCosts


def build_indexes(data_dir: Path, names: Sequence[str], stack: ExitStack) -> dict[str, BuiltIndex]:
    """Each contestant's index of the pages in the crawl database; the stack deletes them."""
    indexes = {}
    for name in names:
        report_progress(f"indexing with {name}")
        folder = Path(stack.enter_context(TemporaryDirectory()))
        indexes[name] = BuiltIndex(folder, build_apart(name, data_dir, folder))
    return indexes


def compare_builds(indexes: Mapping[str, BuiltIndex]) -> Iterator[Row]:
    """How the indexes were built, ours beside each of the others."""
    ours = indexes[OURS].went
    for peer in (name for name in indexes if name != OURS):
        theirs = indexes[peer].went
        yield rate_row(
            "index.docs",
            ours.documents / ours.seconds,
            peer,
            theirs.documents / theirs.seconds,
        )
        yield cost_row("index.info.cpu_ms", ours.cpu_ms, peer, theirs.cpu_ms)
        yield cost_row("index.info.peak_mb", ours.peak_mb, peer, theirs.peak_mb)
        yield cost_row("index.info.disk_mb", ours.disk_mb, peer, theirs.disk_mb)
        yield cost_row("index.info.words_mb", ours.words_mb, peer, theirs.words_mb)
