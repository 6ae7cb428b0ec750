"""`make machines` with OpenSearch: three nodes have one index, which both crawls write and both pages ask."""

import os
import signal
import time
from collections.abc import Iterator
from typing import Any

import pytest
import urllib3

from tests.running import command_lines, until
from tests.walk.machines import QUERIES, SECONDS, Trial, check_answers, first_ten, trial

pytestmark = [
    pytest.mark.opensearch,
    pytest.mark.postgresql,
    pytest.mark.slow,
    pytest.mark.timeout(600),
]


COUNT_URLS = {"size": 0, "aggs": {"urls": {"cardinality": {"field": "url", "precision_threshold": 4000}}}}


def ask_cluster(running: Trial, path: str, node: int = 0, body: object = None) -> Any:
    """What a node of the cluster answers; nothing while it is away."""
    try:
        url = running.nodes[node] + path
        return urllib3.request("GET", url, json=body, retries=False, timeout=10).json()
    except urllib3.exceptions.HTTPError:
        return {}


def find_node(running: Trial, name: str) -> int:
    """The process of a node."""
    word = f"path.home={running.data / name}".encode()
    (found,) = (process for process, line in command_lines().items() if word in line.split(b"\0"))
    return found


def is_whole(running: Trial) -> bool:
    """Whether all nodes are there, and each shard on two of them."""
    found = [ask_cluster(running, "/_cluster/health", node) for node in range(3)]
    return all((one.get("status"), one.get("number_of_nodes")) == ("green", 3) for one in found)


@pytest.fixture(scope="module")
def crawled() -> Iterator[Trial]:
    """Both crawls have ended, both pages answer."""
    with trial(has_cluster=True) as running:
        running.await_words("Stop all with Ctrl-C")
        for machine in ("one", "two"):
            running.await_words(f"The crawl of machine {machine} ended with exit code 0")
        yield running


def test_both_crawls_feed_one_index_on_three_nodes(crawled: Trial) -> None:
    """Of three shards with a copy each; a page that both might have written is in it once."""
    assert is_whole(crawled)
    [index] = ask_cluster(crawled, "/_alias/lycosa")
    settings = ask_cluster(crawled, f"/{index}/_settings")[index]["settings"]["index"]
    assert (settings["number_of_shards"], settings["number_of_replicas"]) == ("3", "1")
    assert crawled.askers() == {"one", "two"}
    documents = ask_cluster(crawled, "/lycosa/_count")["count"]
    found = ask_cluster(crawled, "/lycosa/_search", body=COUNT_URLS)["aggregations"]["urls"]["value"]
    assert documents == found > 0
    told = [crawled.status(machine) for machine in ("one", "two")]
    assert [one["indexed"] for one in told] == [documents, documents]
    assert not list(crawled.data.glob("*/index")), "nothing of it lies in the machines' folders"


def test_both_pages_answer_alike(crawled: Trial) -> None:
    check_answers(crawled)


@pytest.mark.parametrize("node", ["node1", "node3"])
def test_a_node_is_killed_while_people_search(crawled: Trial, node: str) -> None:
    """The pages go on with what the other nodes have, and the node comes back by itself."""
    right = {words: first_ten(crawled.pages[0], words) for words, _ in QUERIES}
    os.kill(find_node(crawled, node), signal.SIGKILL)
    asked, began = 0, time.monotonic()
    while not is_whole(crawled):
        assert time.monotonic() < began + SECONDS
        for page in crawled.pages:
            for words, urls in right.items():
                assert first_ten(page, words) == urls, words
                asked += 1
    assert asked
    check_answers(crawled)


def test_another_start_finds_the_index_again(crawled: Trial) -> None:
    """Nothing is lost by an end, and nothing is written anew."""
    before = ask_cluster(crawled, "/_alias/lycosa"), ask_cluster(crawled, "/lycosa/_count")["count"]
    crawled.restart()
    crawled.await_words("The crawl of machine two ended with exit code 0")
    until(lambda: is_whole(crawled), "all shards", SECONDS)
    assert (ask_cluster(crawled, "/_alias/lycosa"), ask_cluster(crawled, "/lycosa/_count")["count"]) == before


def test_it_may_be_stopped_while_its_nodes_start() -> None:
    with trial(has_cluster=True) as running:
        log = running.data / "node3.log"
        until(lambda: log.exists() and log.stat().st_size, "a node that starts", SECONDS)
