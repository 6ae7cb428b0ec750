"""A search service whose suggestions come from an index in a folder, or from the same pages in a cluster."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from itertools import count
from pathlib import Path

from engine.generations import current_generation
from engine.generations.folder.generation import FolderGeneration
from engine.index.cluster_form.creating import create_empty, show_documents
from engine.index.cluster_indexing.cluster_writer import ClusterWriter
from engine.index.cluster_searching.cluster_lexicon import ClusterLexicon
from engine.index.cluster_searching.one_search import Search
from engine.index.indexing.follow import Follower
from engine.index.indexing.writer import Writer
from engine.index.reader.cache import LRUCache
from engine.index.reader.reader import Reader
from engine.index.searching.directory_snapshot import DirectorySnapshot
from engine.opensearch.client import open_client
from engine.ranking import Ranking
from engine.search.search import SearchService
from engine.suggest.past_queries import PastQueries
from tests.engine.generations.folders import in_folder
from tests.engine.index.source import Memory

Opener = Callable[..., SearchService]
"""Takes a folder, a source, and past queries if there are any."""

MAX_CACHED = 10_000_000  # bytes
_numbers = count()


@contextmanager
def open_folders() -> Iterator[Opener]:
    """Opens services that answer from their folders, until the end."""
    with ExitStack() as opened:

        def open_one(folder: Path, source: Memory, past: Sequence[PastQueries] = ()) -> SearchService:
            Follower(source, folder).catch_up()
            return opened.enter_context(closing(SearchService(folder, past=past)))

        yield open_one


@contextmanager
def open_clusters(node: str, shards: int = 1) -> Iterator[Opener]:
    """Opens services that find hits in their folders, and suggest what a cluster of this node does."""
    with open_folders() as open_folder, ExitStack() as opened:

        def open_one(folder: Path, source: Memory, past: Sequence[PastQueries] = ()) -> SearchService:
            service = open_folder(folder, source, past)
            with service._borrow() as snapshot:
                index = f"lexicon{next(_numbers)}"
                generation = in_folder(current_generation(folder))
                assert isinstance(snapshot, DirectorySnapshot)
                _write(node, index, shards, source, generation, snapshot.reader)
                search = opened.enter_context(open_moment(node, index))
                snapshot.lexicon = ClusterLexicon(search, index, LRUCache(MAX_CACHED))
            return service

        yield open_one


@contextmanager
def open_moment(node: str, index: str) -> Iterator[Search]:
    """Opens a moment of an index, to be asked."""
    with open_client(f"opensearch+{node}") as client:
        pit = client.create_pit(index=index, params={"keep_alive": "5m"})["pit_id"]

        def search(body: dict[str, object]) -> dict[str, object]:
            found: dict[str, object] = client.search(
                body={"pit": {"id": pit, "keep_alive": "5m"}, **body},
                params={"allow_partial_search_results": "false"},
                request_timeout=60,
            )
            return found

        yield search
        client.delete_pit(body={"pit_id": [pit]})


def _write(
    node: str, index: str, shards: int, source: Memory, generation: FolderGeneration, reader: Reader
) -> None:
    with open_client(f"opensearch+{node}") as client, closing(Writer(generation)) as builder:
        writer = ClusterWriter(client, index, builder, Ranking(), reader.averages)
        create_empty(client, index, shards, 0)
        writer.write(source.changes(0, 1 << 30))
        show_documents(client, index)
