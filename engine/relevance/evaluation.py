"""Indexes and searches a judged collection as the engine does real pages, and measures the ranking."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from urllib.parse import unquote

from engine.generations import Generation
from engine.index.indexing import rebuild_index
from engine.index.query import parse_any_word, relax
from engine.index.reader import IndexCache
from engine.index.searching import OpenIndex
from engine.model import Page
from engine.packing import pack_page
from engine.ranking import Ranking
from engine.relevance.collection import Collection
from engine.relevance.measures import DEPTH, Measures, mean, measure
from engine.search import open_snapshot
from engine.store import Change


class CollectionSource:
    """A collection's pages as a `Source` of the index."""

    def __init__(self, pages: Iterable[Page]) -> None:
        self._changes = [Change(seq, page.url, pack_page(page)) for seq, page in enumerate(pages, 1)]

    def changes(self, after: int, limit: int) -> Sequence[Change]:
        """Returns the changes after a sequence number."""
        return self._changes[after : after + limit]

    def last_change(self) -> int:
        """Returns the newest sequence number."""
        return len(self._changes)

    def identity(self) -> str:
        """Returns what tells it from crawl databases."""
        return "collection"


def index_collection(
    collection: Collection,
    folder: Path,
    progress: Callable[[int, int], None],
    ranking: Ranking = Ranking(),
) -> Generation:
    """Indexes a collection as `scrapy rebuild` does; `progress` gets the number done and the total."""
    return rebuild_index(CollectionSource(collection.pages.values()), folder, progress, ranking=ranking)


def measure_collection(collection: Collection, generation: Generation, ranking: Ranking) -> Measures:
    """Measures the ranking: means over the queries, each read as an OR of its words."""
    with closing(open_snapshot(generation, IndexCache(), ranking)) as opened:
        return measure_index(collection, opened)


def measure_index(collection: Collection, opened: OpenIndex) -> Measures:
    """Measures the ranking of an index that has the collection, wherever it is."""
    return mean([measure(found, collection.grades[query]) for query, found in _rank_all(collection, opened)])


def _rank_all(collection: Collection, opened: OpenIndex) -> Iterator[tuple[str, list[str]]]:
    """Yields each query with the ids of its hits, best first."""
    for name, typed in collection.queries.items():
        snapshot = opened.session()
        languages = snapshot.languages
        query = relax(parse_any_word(typed, languages), languages, snapshot.ranking.stopword)
        best = snapshot.find(query, DEPTH)
        ranked = snapshot.rank(best, DEPTH)
        yield name, list(map(_id, snapshot.urls([hit.document for hit in ranked])))


def _id(url: str) -> str:
    return unquote(url.rpartition("#")[2])
