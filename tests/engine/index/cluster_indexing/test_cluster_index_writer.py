"""A generation in a cluster takes what strangers write, and keeps nothing of what was removed."""

import random
from contextlib import closing, suppress
from itertools import count
from pathlib import Path

import pytest

from engine import generations
from engine.index.indexing.expunge import expunge_deleted
from engine.index.indexing.follow import Follower
from engine.index.indexing.opening import open_writer
from engine.index.indexing.rebuild import rebuild_index
from engine.opensearch import UnavailableError
from engine.opensearch.cluster_index import ClusterIndex
from engine.ranking import Ranking
from engine.search.opening import SeenIndex
from engine.search.search import SearchService
from tests.engine.index.source import Memory, page
from tests.hostile_pages import HOSTILE_PAGES, HostilePage
from tests.opensearch.cluster import run_cluster

pytestmark = [pytest.mark.opensearch, pytest.mark.postgresql, pytest.mark.slow, pytest.mark.timeout(600)]

numbers = count(1)
FEW = 3  # of the hostile pages, the first of which is the worst


@pytest.fixture
def index(opensearch_node: str, database_url: str) -> ClusterIndex:
    """An index that nobody else has."""
    return ClusterIndex(f"opensearch+{opensearch_node}/writer{next(numbers)}", database_url)


def find(data_dir: Path, index: ClusterIndex, typed: str) -> list[str]:
    with closing(SearchService(data_dir, index=SeenIndex(index))) as search:
        return [hit.url for hit in search.search(typed).hits]


@pytest.mark.parametrize("hostile", HOSTILE_PAGES[:FEW], ids=lambda one: one.name)
def test_a_page_of_different_words_stops_nobody(
    tmp_path: Path, index: ClusterIndex, hostile: HostilePage
) -> None:
    """Lucene takes no more than some 65,000 terms of a page in one field of weights."""
    text = hostile.make(0).decode()
    source = Memory(page("http://h.example/", text), page("http://a.example/", "amber"))
    Follower(source, index).catch_up()
    assert generations.count_behind(index, source.last_change()) == 0
    assert find(tmp_path, index, "amber") == ["http://a.example/"]
    assert find(tmp_path, index, text[:200].split()[3]) == ["http://h.example/"]


def test_of_two_writers_the_later_one_begins_again(tmp_path: Path, index: ClusterIndex) -> None:
    """The database that both have their lock in was started anew: what one marks is not the other's."""
    source = Memory(page("http://a.example/", "amber"))
    Follower(source, index).catch_up()
    generation = generations.current_generation(index)
    assert generation
    with closing(open_writer(generation, Ranking())) as slow:
        older = source.changes(0, 10)
        source.put(page("http://a.example/", "basil"))
        Follower(source, index).catch_up()
        slow.write(older)
        with pytest.raises(UnavailableError, match="by another process as well"):
            slow.mark_committed(older[-1].seq)
    assert generations.count_behind(index, source.last_change()) == 0
    assert (find(tmp_path, index, "amber"), find(tmp_path, index, "basil")) == ([], ["http://a.example/"])


def test_nothing_of_a_removed_page_stays_on_a_node(database_url: str) -> None:
    """Not in the index to go back to either."""
    secret = random.Random(7).randbytes(600).hex()
    with run_cluster() as cluster:
        index = ClusterIndex(f"opensearch+{cluster.urls[0]}", database_url)
        source = Memory(*(page(f"http://a.example/{number}", "amber") for number in range(5)))
        source.put(page("http://secret.example/", f"basil {secret}"))
        for _ in range(2):
            rebuild_index(source, index)
        assert holding(cluster.nodes[0].folder, secret)
        source.remove("http://secret.example/")
        Follower(source, index).catch_up()
        expunge_deleted(source, index)
        assert not holding(cluster.nodes[0].folder, secret)


def holding(folder: Path, secret: str) -> list[str]:
    """The files that have a part of the secret; the node takes some away meanwhile."""
    parts, found = [secret[at : at + 40].encode() for at in range(0, len(secret), 40)], list[str]()
    for path in folder.rglob("*"):
        with suppress(FileNotFoundError, IsADirectoryError):
            octets = path.read_bytes()
            found += [path.name] if any(part in octets for part in parts) else []
    return found
