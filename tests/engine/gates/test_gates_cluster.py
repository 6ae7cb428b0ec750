"""Gates and measures read a folder and a cluster alike."""

from collections.abc import Iterator

import pytest

from engine.gates.answers import AnswerTest, compare_answers, sample_queries
from engine.gates.census import OldDocuments, count_old_documents
from engine.index.cluster_searching import census
from engine.ranking import Ranking
from engine.relevance.collection import Collection
from engine.relevance.evaluation import measure_index
from tests.engine.search.varied import PAGES, Two, open_two

pytestmark = [pytest.mark.opensearch, pytest.mark.slow]
HOST = "http://site5.example"
JUDGED = {"olive pine": {PAGES[3].url: 1, PAGES[30].url: 1}, "lotus": {PAGES[-1].url: 1}, "absent": {HOST: 1}}


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory, opensearch_node: str) -> Iterator[Two]:
    with open_two(tmp_path_factory.mktemp("gates"), opensearch_node, "gates", 2) as opened:
        yield opened


@pytest.mark.parametrize("at_once", [3, 1_000])
def test_documents_by_host(two: Two, monkeypatch: pytest.MonkeyPatch, at_once: int) -> None:
    """However many answers it takes."""
    monkeypatch.setattr(census, "AT_ONCE", at_once)
    monkeypatch.setattr(census, "MAX_HITS", 4 * at_once)
    folder, cluster = two
    assert cluster.count_by_host() == folder.count_by_host()
    assert sorted(cluster.list_host_urls(HOST)) == sorted(folder.list_host_urls(HOST))
    assert cluster.list_host_urls("http://absent.example") == []
    now = {host: count + (host != HOST) for host, count in folder.count_by_host().items()}
    now[HOST] -= 1
    ours, theirs = count_old_documents(cluster, now), count_old_documents(folder, now)
    assert {host for host, old in ours.items() if old.urls} == {HOST}
    assert {host: OldDocuments(old.documents, sorted(old.urls)) for host, old in ours.items()} == {
        host: OldDocuments(old.documents, sorted(old.urls)) for host, old in theirs.items()
    }


def test_queries_are_drawn_from_titles(two: Two) -> None:
    _, cluster = two
    drawn, titles = (
        sample_queries(cluster),
        {" ".join(page.title.split()[:3]) for page in PAGES if page.title},
    )
    assert len(drawn) == 100
    assert set(drawn) <= titles
    assert len(set(drawn)) > 40
    assert sample_queries(cluster) == drawn, "the same of the same moment"


def test_answers_are_judged_alike(two: Two) -> None:
    folder, cluster = two
    asked, ticks = AnswerTest(JUDGED, Ranking()), iter(range(1_000))
    old, new = compare_answers(asked, folder, cluster, asked.mean_ndcg(cluster), lambda: float(next(ticks)))
    assert old == new
    assert 0 < old.ndcg < 1
    assert old.seconds == 1


def test_the_ranking_measures_alike(two: Two) -> None:
    collection = Collection({}, {query: query for query in JUDGED}, JUDGED)
    ours, theirs = (measure_index(collection, index) for index in two)
    assert tuple(ours) == pytest.approx(tuple(theirs), rel=1e-2), "but for the order behind candidates"
    assert 0 < ours.average_precision < 1
