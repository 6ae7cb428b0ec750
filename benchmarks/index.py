"""Indexing: documents per second, size and memory beside Whoosh and Tantivy."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.contest import OURS, PEERS, Built, built
from benchmarks.row import Row, cost, rate, say
from benchmarks.sites import Site
from benchmarks.walk import collect
from engine.errors import EngineError
from engine.store.pages import Store

PACKAGES = ("python3.11-doc",)


def rows(sites: Sequence[Site], pages: int | None) -> Iterator[Row]:
    """Ours, then each peer, from the same crawl database; reading it is part of everybody's work."""
    with corpus(sites, pages) as data_dir:
        ours = _built(OURS, data_dir)
        for peer in PEERS:
            theirs = _built(peer, data_dir)
            yield rate("index.docs", _speed(ours), peer, _speed(theirs))
            yield cost("index.info.disk_mb", ours.disk_mb, peer, theirs.disk_mb)
            yield cost("index.info.peak_mb", ours.peak_mb, peer, theirs.peak_mb)


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


def _built(name: str, data_dir: Path) -> Built:
    say(f"indexing with {name}")
    with TemporaryDirectory() as folder:
        return built(name, data_dir, Path(folder))


def _speed(index: Built) -> float:
    return index.documents / index.seconds
