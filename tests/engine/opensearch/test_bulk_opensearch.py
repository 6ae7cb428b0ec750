"""Writes in bulk to a real node, of whose answers the other tests are copies."""

from collections.abc import Iterator

import pytest
from opensearchpy import OpenSearch

from engine.errors import IndexMissing
from engine.opensearch import BulkAction, BulkCounts, ClusterError, OverloadedError, open_client, write_bulk
from tests.engine.opensearch.nodes import ROOT

pytestmark = [pytest.mark.opensearch, pytest.mark.slow]
INDEX = "test-bulk"
BREAKER = "network.breaker.inflight_requests.limit"


@pytest.fixture
def client(opensearch_node: str) -> Iterator[OpenSearch]:
    """A client of a node that has an empty index."""
    with open_client(f"opensearch+{opensearch_node}") as opened:
        mapping = {"dynamic": "strict", "properties": {"n": {"type": "integer"}, "body": {"type": "text"}}}
        body = {"settings": {"number_of_shards": 1, "number_of_replicas": 0}, "mappings": mapping}
        opened.indices.create(index=INDEX, body=body, request_timeout=60)
        yield opened
        opened.indices.delete(index=INDEX, request_timeout=60)


def read(client: OpenSearch) -> dict[str, int]:
    """Numbers of the documents by their keys."""
    client.indices.refresh(index=INDEX, request_timeout=60)
    found = client.search(index=INDEX, body={"size": 100}, request_timeout=60)["hits"]["hits"]
    return {hit["_id"]: hit["_source"]["n"] for hit in found}


def write(key: str, version: int) -> BulkAction:
    return BulkAction(key, version, {"n": version})


def test_it_is_what_the_other_tests_say(client: OpenSearch) -> None:
    told = client.info()["version"]
    assert {name: told[name] for name in ROOT["version"]} == ROOT["version"]


def test_the_newest_stays(client: OpenSearch) -> None:
    """Whatever is repeated, and in whatever order; a deletion, too."""
    keys = ["a", 'ż\n"', "c"]
    assert write_bulk(client, INDEX, [write(key, 5) for key in keys]) == BulkCounts(written=3)
    again = [write("a", 5), write("c", 4), BulkAction('ż\n"', 4, None), BulkAction("a", 6, None)]
    assert write_bulk(client, INDEX, again) == BulkCounts(written=2, stale=2)
    assert write_bulk(client, INDEX, [write("a", 5), BulkAction("never", 1, None)]) == BulkCounts(1, 1)
    assert read(client) == {'ż\n"': 5, "c": 5}


def test_what_the_mapping_refuses_is_told(client: OpenSearch, caplog: pytest.LogCaptureFixture) -> None:
    """The others are written all the same, and what it was before is gone."""
    write_bulk(client, INDEX, [write("b", 1)])
    actions = [write("a", 1), BulkAction("b", 2, {"unknown": 1}), write("c", 1)]
    assert write_bulk(client, INDEX, actions).left_out == 1
    assert "strict_dynamic_mapping_exception" in caplog.text
    assert read(client) == {"a": 1, "c": 1}
    with pytest.raises(ClusterError, match="unknown") as told:
        write_bulk(client, INDEX, [BulkAction(key, 3, {"unknown": 1}) for key in "ac"])
    assert told.value.kind == "strict_dynamic_mapping_exception", "none is taken: that is no fault of theirs"


def test_no_index_comes_of_itself(client: OpenSearch) -> None:
    with pytest.raises(IndexMissing, match="has no index nowhere"):
        write_bulk(client, "nowhere", [write("a", 1)])
    with pytest.raises(IndexMissing, match="no such index"):
        client.search(index="nowhere", body={})


def test_a_node_that_has_too_much_to_do(client: OpenSearch) -> None:
    """Its breaker refuses requests of a size; once it does not, all is written."""

    def limit(size: str | None) -> None:
        client.cluster.put_settings(body={"transient": {BREAKER: size}}, request_timeout=60)

    actions = [BulkAction(str(n), 1, {"n": n, "body": "x" * 1_000}) for n in range(100)]
    waits = list[float]()

    def lift(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 2:
            limit(None)

    limit("50kb")
    try:
        with pytest.raises(OverloadedError, match="Data too large"):
            write_bulk(client, INDEX, actions, sleep=lambda _: None)
        assert write_bulk(client, INDEX, actions, sleep=lift) == BulkCounts(written=100, repeated=200)
    finally:
        limit(None)
    assert len(read(client)) == 100
