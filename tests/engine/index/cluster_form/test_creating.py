"""An index of a cluster that has copies: who asks any of them finds all that was shown."""

import os
from base64 import b64encode

import pytest

from engine.index.cluster_form.creating import create_empty, show_documents
from engine.index.cluster_form.mapping import RECORD
from engine.opensearch.client import open_client
from tests.opensearch.cluster import run_cluster

ROUNDS, PAGES, OCTETS = 5, 100, 50_000


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
