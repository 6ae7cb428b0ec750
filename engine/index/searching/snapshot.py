"""Opens one moment of one generation for searching: documents, scores, inlinks."""

from collections.abc import Sequence

from engine.errors import DamagedError
from engine.generations import FolderGeneration
from engine.index.reader import DirectoryReader, IndexCache, LinkGraphReader, LRUCache, check_commit
from engine.index.scoring import ReaderStatistics
from engine.index.searching.index_searcher import IndexSearcher
from engine.linkgraph import Cluster, Inlinks
from engine.ranking import Ranking
from engine.segment import folder

NO_INLINKS = Inlinks()


class Snapshot(IndexSearcher):
    """One moment of one generation, open for searching; safe for several threads.

    Opening raises OSError, DamagedError, Whoosh's EmptyIndexError or sqlite3.OperationalError when files go
    meanwhile, and EngineError for an index that this Lycosa cannot read.
    """

    reader: DirectoryReader

    def __init__(self, generation: FolderGeneration, cache: IndexCache, ranking: Ranking) -> None:
        if not generation.is_readable and generation.path.exists():
            raise generation.unreadable()
        self.generation = generation
        damage = cache.graphs.damage(generation.links)
        try:
            check_commit(generation)
        except DamagedError as error:
            if error.path != generation.links:
                raise
            damage = error
        reader = DirectoryReader(generation.path, cache)
        super().__init__(reader, ranking, ReaderStatistics(reader))
        self.answers = LRUCache(cache.answers)  # none of them outlives it
        self._links = LinkGraphReader(generation.links, damage)

    def close(self) -> None:
        """Closes the files."""
        self._links.close()

    @property
    def damaged(self) -> Sequence[DamagedError]:
        """What it answers without, as it is not what was written."""
        return [*self.reader.damaged, *self._links.damaged]

    def check(self) -> None:
        """Verifies the checksums of every segment. Raises DamagedError."""
        for damage in self.damaged:
            raise damage
        self.reader.check()

    def is_current(self, generation: FolderGeneration) -> bool:
        """Tells whether nothing was committed or published since, and no file was written to by others; costs
        one listing of the folder, and 2 microseconds a file.
        """
        newest = generation == self.generation and folder.latest_commit(generation.path) == self.reader.commit
        return newest and not self.reader.is_changed

    def inlinks(self, urls: Sequence[str]) -> dict[str, Inlinks]:
        """Looks up the inlinks of those of the URLs that have any."""
        return self._links.inlinks(urls, self.ranking.pivots)

    def count_linking_pages(self, urls: Sequence[str]) -> dict[str, int]:
        """Looks up how many pages link to those of the URLs that are known."""
        return self._links.count_linking_pages(urls)

    def numbers(self, urls: Sequence[str]) -> list[int]:
        """Looks up the URLs' numbers, as keys of the index have what pages link to."""
        return self._links.numbers(urls)

    def clusters(self, urls: Sequence[str]) -> dict[str, Cluster]:
        """Looks up the copies of those of the URLs that have any (requirement 59)."""
        return self._links.clusters(urls)
