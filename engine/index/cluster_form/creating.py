"""Creates an index of a cluster, empty, and has it shown, flushed and rid of what was deleted."""

import logging
import time
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from engine.index.cluster_form.mapping import MAPPINGS, make_settings
from engine.opensearch import ClusterError

if TYPE_CHECKING:
    from opensearchpy import OpenSearch

MANAGE_SECONDS = 60.0  # for what waits for all nodes: an index is made, what was written is shown
MERGE_SECONDS = 3_600.0  # segments with deleted documents are written anew
MOST_SEGMENTS = 8  # of a shard that is complete; several threads search some each
_EXISTS = "resource_already_exists_exception"
LEASE_SECONDS = 1.0  # between looks whether deleted documents are still kept
LEASE_LOOKS = 90
Sleep = Callable[[float], None]
logger = logging.getLogger("lycosa")
_NO_META: Mapping[str, Any] = {}


class IndexLayout:
    """How an index lies in a cluster: a shard for each node that keeps data, and a copy of it on another."""

    def __init__(self, client: "OpenSearch") -> None:
        nodes = int(client.cluster.health(request_timeout=MANAGE_SECONDS)["number_of_data_nodes"])
        self.shards, self.replicas = max(nodes, 1), min(nodes - 1, 1)


def create_empty(
    client: "OpenSearch",
    index: str,
    shards: int,
    replicas: int,
    alias: str = "",
    meta: Mapping[str, Any] = _NO_META,
) -> None:
    """Creates an index with its settings and fields; with its alias in one step.

    One that is there was created by a node that died before it answered: nobody else gives it this name.
    """
    body = {
        "settings": make_settings(shards, replicas),
        "mappings": {**MAPPINGS, "_meta": dict(meta)},
        "aliases": {alias: {}} if alias else {},
    }
    try:
        client.indices.create(index=index, body=body, request_timeout=MANAGE_SECONDS)
    except ClusterError as error:
        if error.kind != _EXISTS:
            raise


def show_documents(client: "OpenSearch", index: str) -> None:
    """Shows what was written to all who open the index from now on."""
    client.indices.refresh(index=index, request_timeout=MANAGE_SECONDS)


def merge_segments(client: "OpenSearch", index: str) -> None:
    """Merges each shard that is complete to a few segments, as each of them takes a search its time.

    By default a million documents lay in 28, half of them below 20 MB; to merge those took 15 seconds, and an
    answer a sixth less time. What could not be merged is found all the same.
    """
    wanted = {"max_num_segments": MOST_SEGMENTS}
    try:
        client.indices.forcemerge(index=index, params=wanted, request_timeout=MERGE_SECONDS)
    except ClusterError as error:
        logger.warning("%s has more segments than it needs until its next merges: %s", index, error)


def expunge_documents(client: "OpenSearch", index: str, sleep: Sleep = time.sleep) -> None:
    """Rewrites segments that have deleted documents, and drops the log of what was written.

    Merges keep what was deleted as long as a copy might ask for it. OpenSearch looks at that twice a minute,
    so it takes half a minute.
    """
    client.indices.flush(index=index, request_timeout=MANAGE_SECONDS)
    wanted = {shard: last for shard, last, _ in _read_leases(client, index)}
    for _ in range(LEASE_LOOKS):
        if all(kept_from > wanted.get(shard, last) for shard, last, kept_from in _read_leases(client, index)):
            break
        sleep(LEASE_SECONDS)
    else:
        logger.warning("%s has deleted documents on its disks until its next merges", index)
    client.indices.forcemerge(
        index=index, params={"only_expunge_deletes": "true"}, request_timeout=MERGE_SECONDS
    )
    show_documents(client, index)
    client.indices.flush(index=index, request_timeout=MANAGE_SECONDS)


def _read_leases(client: "OpenSearch", index: str) -> Iterator[tuple[str, int, int]]:
    """Reads of each copy of a shard the number of its last operation, and from which on any are kept."""
    answer = client.indices.stats(
        index=index, metric="docs", params={"level": "shards"}, request_timeout=MANAGE_SECONDS
    )
    for shard, copies in answer["indices"][index]["shards"].items():
        for copy in copies:
            last = int(copy["seq_no"]["max_seq_no"])
            leases = copy["retention_leases"]["leases"]
            yield shard, last, min((int(one["retaining_seq_no"]) for one in leases), default=last + 1)
