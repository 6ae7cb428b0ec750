"""kill -9 of a node of three while an index is written there: no page is lost, and none is there twice."""

import random
import time
from threading import Event, Thread

import pytest

from engine import generations
from engine.index.indexing import batches
from engine.index.indexing.follow import Follower, follow
from engine.index.indexing.rebuild import rebuild_index
from engine.opensearch.cluster_index import ClusterIndex
from tests.engine.index.content import content
from tests.engine.index.source import Memory, corpus, page
from tests.opensearch.cluster import run_cluster

pytestmark = [pytest.mark.opensearch, pytest.mark.postgresql, pytest.mark.timeout(900)]

PAGES = 300
SECONDS = 4.0  # in which a node is killed
MORE = [pytest.param(seed, marks=pytest.mark.long) for seed in range(1, 5)]


@pytest.mark.parametrize("seed", [pytest.param(0, marks=pytest.mark.slow), *MORE])
def test_a_node_is_killed_while_the_index_is_written(
    database_url: str, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    monkeypatch.setattr(batches, "BATCH_DOCUMENTS", 10)
    dice, ended = random.Random(seed), Event()
    with run_cluster(3) as cluster:
        nodes = ",".join(url.removeprefix("http://") for url in cluster.urls)
        war = ClusterIndex(f"opensearch+http://{nodes}/war", database_url)
        peace = ClusterIndex(f"opensearch+http://{nodes}/peace", database_url)
        source = Memory(*corpus(PAGES, seed))
        steps = Follower(source, war), ended.is_set, lambda _: ended.wait(0.2)
        following = Thread(target=follow, args=steps)
        following.start()
        time.sleep(dice.uniform(0.5, SECONDS))
        dice.choice(cluster.nodes).kill()
        for number in range(20):
            source.put(page(f"http://new.example/{number}", "amber"))
            time.sleep(0.1)
        source.remove("http://new.example/3")
        cluster.start()
        ended.set()
        following.join(300)
        assert not following.is_alive()
        assert generations.count_behind(war, source.last_change()) == 0
        rebuild_index(source, peace)
        assert content(war) == content(peace)
        assert len(content(war)) == PAGES + 19
