"""A search page answers from a cluster: by few requests, from a new moment where one is lost."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from time import monotonic

import pytest
from opensearchpy import OpenSearch

from engine.index.snippets import NoCopy
from engine.model.narrowing import SearchFilters, Sort
from engine.opensearch.client import open_client
from engine.opensearch.errors import UnavailableError
from engine.search.search import SearchService
from tests.engine.index.cluster_indexing.indexed import Indexed
from tests.engine.index.source import page
from tests.engine.search.cluster_service import ClusterService, count_requests, open_service
from tests.engine.search.varied import COPIES, MANUAL, PAGES
from tests.opensearch.cluster import run_cluster

pytestmark = [pytest.mark.opensearch, pytest.mark.slow]
FACETS = SearchFilters(with_facets=True)
FEW = [page(f"http://few{at}.example/", f"amber basil {at}", f"Title {at}") for at in range(5)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, opensearch_node: str) -> Path:
    """A data folder, and an index of the same pages."""
    data_dir = tmp_path_factory.mktemp("service")
    indexed = Indexed(data_dir, PAGES, COPIES)
    with closing(indexed.snapshot):
        indexed.write(opensearch_node, "service", 1)
    return data_dir


@pytest.fixture
def both(folder: Path, opensearch_node: str) -> Iterator[tuple[SearchService, ClusterService]]:
    with (
        open_service(folder, opensearch_node, "service") as (cluster, _),
        closing(SearchService(folder)) as plain,
    ):
        yield plain, cluster


def test_all_that_people_ask(both: tuple[SearchService, ClusterService]) -> None:
    plain, cluster = both
    assert cluster.count_documents() == plain.count_documents() == len(PAGES)
    assert cluster.contains(MANUAL)
    assert not cluster.contains("http://absent.example/")
    assert cluster.copy_text(MANUAL, "lotus") == plain.copy_text(MANUAL, "lotus") != NoCopy.UNKNOWN
    assert cluster.copy_text("http://absent.example/", "lotus") is NoCopy.UNKNOWN
    assert cluster.explain("http://absent.example/", "lotus") is None
    assert cluster.list_damage() == []
    assert cluster.complete("amb") == plain.complete("amb") != []
    assert cluster.search("lotus pnd").total


def test_a_page_of_hits_takes_few_requests(folder: Path, opensearch_node: str) -> None:
    with open_service(folder, opensearch_node, "service") as (cluster, client):
        assert cluster.count_documents()
        first, again, next_page, dated = "pine maple", "maple pine", "pine maple", "kelp maple"
        for typed, number, choice, most, why in (
            (first, 1, FACETS, 8, "counts, candidates, vectors, pages, facets; names of hosts three times"),
            (again, 1, FACETS, 4, "all words are known"),
            (next_page, 2, FACETS, 4, "its pages are not yet"),
            (first, 1, FACETS, 0, "the answer is"),
            (first, 1, SearchFilters(lang="en"), 3, "no facets"),
            (dated, 1, SearchFilters(sort=Sort.DATE), 7, "by date the words are asked for twice"),
        ):
            with count_requests(client) as made:
                cluster.search(typed, number, choice=choice)
            assert len(made) <= most, (why, made)


def test_a_moment_that_is_lost_is_opened_anew(folder: Path, opensearch_node: str) -> None:
    with open_service(folder, opensearch_node, "service") as (cluster, client):
        before = cluster.search("olive", choice=FACETS)
        client.delete_all_pits()
        after = cluster.search("olive pine", choice=FACETS)
        assert (cluster.opened, after.total > 0) == (2, True)
        client.delete_all_pits()
        again = cluster.search("olive", choice=FACETS)
        assert replace(again, took_ms=0) == replace(before, took_ms=0)
        assert cluster.opened == 3
        client.delete_all_pits()
        assert cluster.contains(MANUAL)
        assert cluster.opened == 4
        assert len(cluster._users) == 1, "the others are closed"


def test_a_page_that_changed_is_described_anew(tmp_path: Path, opensearch_node: str) -> None:
    """Others are not read again."""
    indexed = Indexed(tmp_path, FEW)
    with closing(indexed.snapshot):
        indexed.write(opensearch_node, "changing", 1)
        with open_service(tmp_path, opensearch_node, "changing") as (cluster, client):
            before = {hit.url: hit.title for hit in cluster.search("amber").hits}
            indexed.put(replace(FEW[2], title="Another title"), opensearch_node, "changing")
            open_newer(cluster, client)
            with count_requests(client) as made:
                after = {hit.url: hit.title for hit in cluster.search("amber").hits}
            changed = dict(before.items() ^ after.items())
            assert after == before | {FEW[2].url: "Another title"} != before
            assert list(changed) == [FEW[2].url]
            open_newer(cluster, client)
            with count_requests(client) as fewer:
                cluster.search("amber")
            assert len(fewer) == len(made) - 1, "all pages are known"


def open_newer(cluster: ClusterService, client: OpenSearch) -> None:
    """Has the moment opened anew, by what no answer is remembered of."""
    client.delete_all_pits()
    assert cluster.contains(FEW[0].url)


def test_a_cluster_that_is_away_is_told_within_seconds(tmp_path: Path) -> None:
    indexed = Indexed(tmp_path, FEW)
    with closing(indexed.snapshot), run_cluster() as nodes:
        indexed.write(nodes.nodes[0].url, "away", 1)
        with (
            open_client(f"opensearch+{nodes.nodes[0].url}") as client,
            closing(ClusterService(tmp_path, client, "away")) as cluster,
        ):
            cluster.count_documents()
            nodes.nodes[0].kill()
            began = monotonic()
            with pytest.raises(UnavailableError):
                cluster.search("amber")
            assert monotonic() - began < 5
