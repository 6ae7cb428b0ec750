"""Creates an index of a cluster, empty, and has it shown, flushed and rid of what was deleted."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from engine.index.cluster_form.mapping import MAPPINGS, make_settings

if TYPE_CHECKING:
    from opensearchpy import OpenSearch

MANAGE_SECONDS = 60.0  # for what waits for all nodes: an index is made, what was written is shown
MERGE_SECONDS = 3_600.0  # segments with deleted documents are written anew
_NO_META: Mapping[str, Any] = {}


class IndexLayout:
    """How an index lies in a cluster: a shard for each node that keeps data, and a copy of it on another."""

    def __init__(self, client: "OpenSearch") -> None:
        nodes = int(client.cluster.health()["number_of_data_nodes"])
        self.shards, self.replicas = max(nodes, 1), min(nodes - 1, 1)


def create_empty(
    client: "OpenSearch",
    index: str,
    shards: int,
    replicas: int,
    alias: str = "",
    meta: Mapping[str, Any] = _NO_META,
) -> None:
    """Creates an index with its settings and fields; with its alias in one step."""
    body = {
        "settings": make_settings(shards, replicas),
        "mappings": {**MAPPINGS, "_meta": dict(meta)},
        "aliases": {alias: {}} if alias else {},
    }
    client.indices.create(index=index, body=body, request_timeout=MANAGE_SECONDS)


def show_documents(client: "OpenSearch", index: str) -> None:
    """Shows what was written to all who open the index from now on."""
    client.indices.refresh(index=index, request_timeout=MANAGE_SECONDS)


def expunge_documents(client: "OpenSearch", index: str) -> None:
    """Rewrites segments that have deleted documents, and drops the log of what was written."""
    client.indices.forcemerge(
        index=index, params={"only_expunge_deletes": "true"}, request_timeout=MERGE_SECONDS
    )
    client.indices.flush(index=index, request_timeout=MANAGE_SECONDS)
