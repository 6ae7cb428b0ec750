"""A cluster for tests is one: it finds itself, keeps what it was given and counts all of it after a kill."""

import pytest
from opensearchpy import OpenSearch, helpers

from tests.opensearch.cluster import run_cluster

pytestmark = [pytest.mark.opensearch, pytest.mark.slow, pytest.mark.timeout(600)]
DOCUMENTS = 1_000


def index_documents(client: OpenSearch, nodes: int) -> None:
    """Writes documents whose every shard lies on as many nodes as there are, up to two."""
    settings = {"number_of_shards": nodes, "number_of_replicas": min(nodes - 1, 1)}
    mapping = {"properties": {"w": {"type": "rank_features"}}}
    client.indices.create(index="pages", body={"settings": settings, "mappings": mapping})
    documents = ({"_index": "pages", "_id": str(n), "w": {"word": n + 1}} for n in range(DOCUMENTS))
    assert helpers.bulk(client, documents)[0] == DOCUMENTS


def count_documents(client: OpenSearch) -> int:
    """Counts what a search finds, of all shards."""
    client.indices.refresh(index="pages")
    query = {"rank_feature": {"field": "w.word", "saturation": {"pivot": 1.2}}}
    answer = client.search(index="pages", body={"query": query, "track_total_hits": True})
    assert answer["_shards"]["failed"] == 0
    return int(answer["hits"]["total"]["value"])


def test_a_node_reads_what_an_index_of_ours_is_made_of(opensearch_node: str) -> None:
    """The filter that splits tokens stacked at one position is in a module that it may lack."""
    split = {"type": "pattern_capture", "preserve_original": False, "patterns": ["([^\u0001]+)"]}
    stacked = {"type": "custom", "tokenizer": "whitespace", "filter": ["split"]}
    with OpenSearch(opensearch_node, timeout=60) as client:
        body = {"settings": {"analysis": {"analyzer": {"stacked": stacked}, "filter": {"split": split}}}}
        client.indices.create(index="stacked", body=body)
        text = {"analyzer": "stacked", "text": "tree\u0001tre falls"}
        tokens = client.indices.analyze(index="stacked", body=text)["tokens"]
    places = [(token["token"], token["position"]) for token in tokens]
    assert places == [("tree", 0), ("tre", 0), ("falls", 1)]


def test_one_node_has_after_a_kill_what_it_had() -> None:
    with run_cluster() as cluster, OpenSearch(cluster.urls, timeout=60) as client:
        index_documents(client, 1)
        cluster.nodes[0].kill()
        cluster.start()
        client.cluster.health(index="pages", wait_for_status="green")
        assert count_documents(client) == DOCUMENTS
        cluster.nodes[0].stop()
        assert not cluster.nodes[0].runs


def test_three_nodes_lose_no_document_with_one_of_them() -> None:
    with run_cluster(3) as cluster, OpenSearch(cluster.urls[1:], timeout=60) as client:
        index_documents(client, 3)
        client.cluster.health(index="pages", wait_for_status="green")
        cluster.nodes[0].kill()
        client.cluster.health(index="pages", wait_for_nodes=2, wait_for_status="yellow")
        assert count_documents(client) == DOCUMENTS
        cluster.start()
        client.cluster.health(index="pages", wait_for_nodes=3, wait_for_status="green")
        assert count_documents(client) == DOCUMENTS
