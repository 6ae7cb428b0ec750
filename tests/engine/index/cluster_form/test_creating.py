"""An index of a cluster that has copies: who asks any of them finds all that was shown."""

import os
from base64 import b64encode
from unittest.mock import patch

import pytest
from opensearchpy import OpenSearch

from engine.index.cluster_form.creating import MOST_SEGMENTS, create_empty, merge_segments, show_documents
from engine.index.cluster_form.mapping import RECORD
from engine.opensearch.client import open_client
from engine.opensearch.errors import ClusterError
from tests.opensearch.cluster import run_cluster

ROUNDS, PAGES, OCTETS = 5, 100, 50_000


@pytest.mark.opensearch
@pytest.mark.slow
def test_a_complete_index_has_few_segments(opensearch_node: str) -> None:
    with open_client(f"opensearch+{opensearch_node}") as client:
        create_empty(client, "merged", 1, 0)
        policy = {"index.merge.policy.segments_per_tier": 50, "index.merge.policy.max_merge_at_once": 50}
        client.indices.put_settings(index="merged", body=policy)
        for number in range(2 * MOST_SEGMENTS):
            client.index(index="merged", id=str(number), body={RECORD: "AAAA"})
            show_documents(client, "merged")
        before = count_segments(client)
        merge_segments(client, "merged")
        show_documents(client, "merged")
        assert count_segments(client) <= MOST_SEGMENTS < before
        assert client.count(index="merged")["count"] == 2 * MOST_SEGMENTS


def count_segments(client: OpenSearch) -> int:
    [[shard]] = client.indices.segments(index="merged")["indices"]["merged"]["shards"].values()
    return sum(one["search"] for one in shard["segments"].values())


@pytest.mark.opensearch
@pytest.mark.slow
def test_what_cannot_be_merged_is_a_line_of_the_log(
    opensearch_node: str, caplog: pytest.LogCaptureFixture
) -> None:
    """A rebuild of hours does not fail for it."""
    with (
        open_client(f"opensearch+{opensearch_node}") as client,
        patch.object(client.indices, "forcemerge", side_effect=ClusterError("the disk is full", 429)),
    ):
        merge_segments(client, "filled")
    assert "filled has more segments than it needs until its next merges: the disk is full" in caplog.text


@pytest.mark.opensearch
@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_copy_shows_what_was_shown() -> None:
    """Else a search would miss pages, or find removed ones, until something else is written."""
    with run_cluster(2) as cluster, open_client(f"opensearch+{cluster.urls[0]}") as client:
        create_empty(client, "copied", 1, 1)
        client.cluster.health(wait_for_status="green", request_timeout=60)
        for number in range(1, ROUNDS + 1):
            lines = list[object]()
            for page in range(PAGES):
                record = b64encode(os.urandom(OCTETS)).decode()
                lines += [{"index": {"_id": f"{number}-{page}"}}, {RECORD: record}]
            answer = client.bulk(index="copied", body=lines, request_timeout=60)
            assert not answer["errors"]
            show_documents(client, "copied")
            found = [client.count(index="copied", preference=of)["count"] for of in ("_primary", "_replica")]
            assert found == [number * PAGES] * 2
