"""The door of search_ui, opened on an index of a cluster, which counts what it asks for."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from opensearchpy import OpenSearch

from engine.generations import Generation
from engine.index.cluster_searching.cluster_snapshot import ClusterSnapshot
from engine.index.searching.snapshot import OpenIndex
from engine.opensearch import transport
from engine.opensearch.client import open_client
from engine.search.search import SearchService
from tests.engine.index.cluster_indexing.indexed import PATIENCE


class ClusterService(SearchService):
    """Opens an index of a cluster in place of the folder's; `opened` counts how often."""

    def __init__(self, data_dir: Path, client: OpenSearch, index: str) -> None:
        super().__init__(data_dir)
        self._client, self._name, self.opened = client, index, 0

    def _open(self, generation: Generation) -> OpenIndex:
        self.opened += 1
        return ClusterSnapshot(self._client, self._name, generation.links, self._ranking, self._cache)


@contextmanager
def open_service(data_dir: Path, node: str, index: str) -> Iterator[tuple[ClusterService, OpenSearch]]:
    """Opens the index of a cluster, whose link graph is in this folder; and gives the client that it has."""
    with (
        patch.object(transport, "SEARCH_SECONDS", PATIENCE),
        open_client(f"opensearch+{node}") as client,
    ):
        service = ClusterService(data_dir, client, index)
        try:
            yield service, client
        finally:
            service.close()


@contextmanager
def count_requests(client: OpenSearch) -> Iterator[Sequence[int]]:
    """Counts the searches of each request that is made meanwhile."""
    made, ask = list[int](), client.msearch

    def counted(body: Sequence[Any], **options: Any) -> Any:
        made.append(len(body) // 2)
        return ask(body=body, **options)

    with patch.object(client, "msearch", counted):
        yield made
