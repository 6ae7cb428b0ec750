"""Measures the ranking on a real site: the Python manual, with the entries of its own index as queries.

The pages of that index are left out of the crawl, for they are where the judgements come from.
"""

import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.instruments.row import Row, rate_row, report_progress
from benchmarks.peers.contest import BenchmarkQuery, pages
from benchmarks.sites import ROOT, STDERR, Site, served
from engine import generations
from engine.errors import EngineError
from engine.index.reader.cache import IndexCache
from engine.index.searching.directory_snapshot import DirectorySnapshot
from engine.ranking import Ranking
from engine.relevance.collection import read_rows
from engine.relevance.measures import NDCG_DEPTH, ndcg
from engine.search.answer import answer_query
from engine.store.page_store import Store

PACKAGE = "python3.11-doc"
FILE = Path("site-search", "python311.tsv")  # query, tab, paths below the start page
EXCLUDED = r"(genindex|py-modindex|contents\.html|search\.html)"
NAME = "relevance.python311"

JudgedQueries = Mapping[str, Mapping[str, int]]
"""Grades by path, by query."""


def read_judgments(folder: Path) -> JudgedQueries:
    """The judged queries. Raises EngineError with the number of a line that is none."""
    return dict(read_rows(folder / FILE.parent, FILE.name, _judged))


@contextmanager
def crawl_site(site: Site, exclude: str = EXCLUDED) -> Iterator[tuple[Path, str]]:
    """A data folder with the site, crawled and indexed, and what its URLs begin with. Raises EngineError."""
    with served([site]) as (seed,), TemporaryDirectory() as folder:
        report_progress(f"crawling {site.package}")
        choices = [
            "-a",
            f"seeds={seed}",
            "-a",
            "own=1",
            "-a",
            f"exclude={exclude}",
            "-s",
            f"DATA_DIR={folder}",
        ]
        command = [sys.executable, "-m", "scrapy", "crawl", "web", *choices, "-s", "LOG_LEVEL=ERROR"]
        if code := subprocess.run(command, cwd=ROOT, stdout=STDERR).returncode:
            raise EngineError(f"the crawl failed with exit code {code}; what it said stands above")
        yield Path(folder), seed.rpartition("/")[0] + "/"


def rows(folder: Path, site: Site) -> Iterator[Row]:
    """Ours beside Tantivy, and Xapian where it is installed: nDCG@10 over the queries, typed."""
    queries = read_judgments(folder)
    with crawl_site(site) as (data_dir, begin):
        with open_snapshot(data_dir, Ranking()) as snapshot:
            ours = mean_ndcg(queries, begin, lambda typed: find_urls(snapshot, typed))
        with closing(Store(data_dir)) as store:
            yield rate_row(
                NAME, ours, "tantivy", mean_ndcg(queries, begin, _tantivy(store, data_dir / "tantivy"))
            )
            if find_spec("xapian"):
                yield rate_row(
                    NAME, ours, "xapian", mean_ndcg(queries, begin, _xapian(store, data_dir / "xapian"))
                )
            else:
                yield Row("relevance.info.xapian", 0.0)  # not on this machine


@contextmanager
def open_snapshot(data_dir: Path, ranking: Ranking) -> Iterator[DirectorySnapshot]:
    """The index in a data folder, ranked so."""
    generation = generations.current_generation(data_dir)
    assert generation
    with closing(DirectorySnapshot(generation, IndexCache(), ranking)) as snapshot:
        yield snapshot


def find_urls(snapshot: DirectorySnapshot, typed: str, count: int = NDCG_DEPTH) -> list[str]:
    """The URLs of the first hits, as the search page shows them."""
    _, best, _ = answer_query(snapshot, typed, count)
    ranked = snapshot.rank(best, count)
    return snapshot.reader.urls([hit.document for hit in ranked])


def mean_ndcg(queries: JudgedQueries, begin: str, find: Callable[[str], Sequence[str]]) -> float:
    """nDCG@10 of what `find` gives for each query, as URLs that begin so."""
    return sum(
        ndcg([url.removeprefix(begin) for url in find(typed)], grades) for typed, grades in queries.items()
    ) / len(queries)


def _judged(line: str) -> tuple[str, dict[str, int]]:
    query, tab, relevant = line.partition("\t")
    if not tab or not relevant.split():
        raise ValueError("a query, a tab, and the paths of relevant pages")
    return query, dict.fromkeys(relevant.split(), 1)


def _tantivy(store: Store, folder: Path) -> Callable[[str], list[str]]:
    """All of the words, in any of its fields: .799; with any of them enough it has .789."""
    from benchmarks.peers import tantivy_index

    folder.mkdir()
    tantivy_index.build(store, folder)
    index = tantivy_index.open_index(folder)

    def find(typed: str) -> list[str]:
        return [
            one.url for one in index.kept(index.find(index.parse(BenchmarkQuery("and", split_words(typed)))))
        ]

    return find


def _xapian(store: Store, folder: Path) -> Callable[[str], list[str]]:
    """Any of the words, as it is by default."""
    from benchmarks.peers import xapian_index

    xapian_index.build(pages(store), folder)
    index = xapian_index.XapianIndex(folder)
    return lambda typed: index.urls(" ".join(split_words(typed)), NDCG_DEPTH)


def split_words(typed: str) -> tuple[str, ...]:
    """Nothing of a peer's query language: -q, an option, would leave pages out."""
    return tuple(re.findall(r"\w+", typed))
