"""A cluster answers as an index of one machine does: the same pages, scores and totals."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from engine.errors import IndexMissing
from engine.index.cluster_searching import asking, session
from engine.index.cluster_searching.cluster_snapshot import ClusterSnapshot
from engine.index.cluster_searching.moment import Answer
from engine.index.cluster_searching.translate import Translator
from engine.index.query.tree import AllOf, Field, Query, Word, walk
from engine.index.reader.cache import IndexCache
from engine.index.scoring import weigh_idf
from engine.opensearch.client import open_client
from engine.ranking import Ranking
from tests.engine.index.cluster_indexing.indexed import Indexed
from tests.engine.index.cluster_searching.test_candidates import PAGES, TYPED, list_best, read_query
from tests.engine.index.searching.test_evaluate_random import Asking
from tests.running import WAIT_SECONDS

pytestmark = [pytest.mark.opensearch, pytest.mark.slow]
COUNT = 10
TODAY = datetime.now(UTC).date()
NOT_ALONE = {"subject", "description", "keywords"}  # texts that nobody can ask for by themselves


class Both:
    """The same pages in a folder and in a cluster."""

    def __init__(self, indexed: Indexed, cluster: ClusterSnapshot) -> None:
        self.embedded, self.cluster = indexed.snapshot, cluster

    def assert_alike(self, query: Query, why: object) -> int:
        """Asserts that both answer alike; returns how many hits there are."""
        session = self.cluster.session()
        expected, found = list_best(self.embedded, query), list_best(session, query)
        assert [url for url, _ in found] == [url for url, _ in expected], why
        assert [score for _, score in found] == pytest.approx([score for _, score in expected], rel=1e-5), why
        ours, best = session.find(query, COUNT), self.embedded.find(query, COUNT)
        assert (ours.total, ours.partial, ours.exact) == (best.total, best.partial, True), why
        return len(expected)


@pytest.fixture(scope="module", params=[1, 4], ids=["one shard", "four shards"])
def both(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, opensearch_node: str
) -> Iterator[Both]:
    index = f"alike{request.param}"
    indexed = Indexed(tmp_path_factory.mktemp(index), PAGES)
    indexed.write(opensearch_node, index, request.param)
    with closing(indexed.snapshot), indexed.open_cluster(opensearch_node, index) as cluster:
        yield Both(indexed, cluster)


@pytest.mark.parametrize(("typed", "why"), TYPED, ids=[why for _, why in TYPED])
def test_what_is_typed(both: Both, typed: str, why: str) -> None:
    assert both.assert_alike(read_query(both.embedded, typed), why)


OF_WORDS = [
    ("amber basil cedar", "words"),
    ('"amber basil"', "a phrase"),
    ("amber (cedar OR -basil)", "a group"),
    ("git-rebase todo", "its parts beside the whole word count as much"),
    ("git rebase-todo", "of a word that some have in parts alone"),
    ("what is the best amber of all", "a sentence"),
]


@pytest.mark.parametrize(("typed", "why"), OF_WORDS, ids=[why for _, why in OF_WORDS])
def test_the_first_phase_scores_texts_as_we_do(both: Both, typed: str, why: str) -> None:
    """But for rounding: so the candidates hold the best of many thousands, too."""
    query = read_query(both.embedded, typed)
    best = both.embedded.rank_by_text(query, len(PAGES))
    urls = both.embedded.urls(best.documents.tolist())
    expected = dict(zip(urls, best.scores.tolist(), strict=True))
    wanted = asking.Wanted(query, len(PAGES))
    hits = asking.find_candidates(wanted, make_translator(both, query), both.cluster.search).hits
    assert {page.url: page.score for page in hits} == pytest.approx(
        {page.url: expected[page.url] for page in hits}, rel=0.01
    ), why
    assert hits


def make_translator(both: Both, query: Query) -> Translator:
    counted = both.cluster.count(query)

    def factor_of(word: Word) -> float:
        return weigh_idf(counted.counts[word], counted.documents, both.embedded.ranking)

    return Translator(both.embedded.ranking, factor_of)


def test_nothing_is_found(both: Both) -> None:
    assert not both.assert_alike(read_query(both.embedded, "absent"), "a word that nobody has")


@pytest.mark.timeout(900)
@pytest.mark.parametrize("count", [60, pytest.param(2_000, marks=pytest.mark.long)])
def test_queries_that_nobody_would_ask(both: Both, count: int) -> None:
    queries = [Asking(seed).query() for seed in range(count)]
    able = [one for one in queries if not any(name in NOT_ALONE for name in list_fields(one))]
    found = sum(bool(both.assert_alike(query, query)) for query in able)
    assert found > count // 3, "most queries find something"


def list_fields(query: Query) -> list[str]:
    """The fields that a query asks for, those too that it does not want."""
    nodes = list(walk(query))
    inner = [one for node in nodes if isinstance(node, AllOf) for one in (*node.but, *node.only)]
    return [node.name for node in nodes if isinstance(node, Field)] + [
        name for one in inner for name in list_fields(one)
    ]


def test_the_same_size_and_lengths(both: Both) -> None:
    assert both.cluster.documents == both.embedded.documents
    assert both.cluster.averages == both.embedded.reader.averages


def test_a_moment_stays_as_it_was(tmp_path: Path, opensearch_node: str) -> None:
    """Whatever is deleted meanwhile."""
    indexed = Indexed(tmp_path, PAGES)
    indexed.write(opensearch_node, "moment", 1)
    query = read_query(indexed.snapshot, "amber basil")
    with (
        closing(indexed.snapshot),
        open_client(f"opensearch+{opensearch_node}") as client,
        indexed.open_cluster(opensearch_node, "moment") as before,
    ):
        expected = list_best(before.session(), query)
        client.delete_by_query(index="moment", body={"query": {"match_all": {}}}, request_timeout=60)
        client.indices.refresh(index="moment", request_timeout=60)
        assert list_best(before.session(), query) == expected != []
        with indexed.open_cluster(opensearch_node, "moment") as after:
            assert list_best(after.session(), query) == []


def test_an_index_that_is_not_there_is_our_error(tmp_path: Path, opensearch_node: str) -> None:
    with open_client(f"opensearch+{opensearch_node}") as client, pytest.raises(IndexMissing):
        ClusterSnapshot(client, "absent", tmp_path / "links.db", Ranking(), IndexCache())


def test_those_behind_the_candidates_come_after_them(both: Both, monkeypatch: pytest.MonkeyPatch) -> None:
    """By their words alone: none is there twice, and none is lost."""
    query = read_query(both.embedded, "amber")
    every = set(list_all(both.cluster, query))
    set_candidates(monkeypatch, COUNT)
    found = list_all(both.cluster, query)
    assert len(every) > COUNT
    assert (len(found), set(found)) == (len(every), every)


def list_all(cluster: ClusterSnapshot, query: Query) -> list[str]:
    session = cluster.session()
    ranked = session.rank(session.find(query, len(PAGES)), len(PAGES))
    return session.urls([one.document for one in ranked])


def set_candidates(monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    """Has fewer pages ranked than match."""
    for module in (asking, session):
        monkeypatch.setattr(module, "CANDIDATES", count)


ALIKE = [
    ("site:example", "all that there is"),
    ("lang:en", "a language"),
    ("site:site1.example OR site:site2.example", "two sites"),
    ("before:2030", "a range"),
]


@pytest.mark.parametrize(("typed", "why"), ALIKE, ids=[why for _, why in ALIKE])
def test_where_all_match_alike_the_candidates_are_those_of_most_votes(
    both: Both, monkeypatch: pytest.MonkeyPatch, typed: str, why: str
) -> None:
    set_candidates(monkeypatch, COUNT)
    assert both.assert_alike(read_query(both.embedded, typed), why)


def test_a_query_that_no_cluster_has(both: Both) -> None:
    with pytest.raises(ValueError, match="subject"):
        both.cluster.session().find(Field("subject", "amber"), COUNT)


def test_facets_are_counted_while_pages_are_read(both: Both, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cluster counts for as long as reading takes."""
    read, search = threading.Event(), both.cluster.search

    def count_late(*bodies: Answer) -> Sequence[Answer]:
        assert "after" not in bodies[0].get("aggs", {}) or read.wait(WAIT_SECONDS)
        return search(*bodies)

    monkeypatch.setattr(both.cluster, "search", count_late)
    query, here = read_query(both.embedded, "amber"), both.cluster.session()
    best = here.find(query, COUNT)
    coming = here.begin_facets(query, best, None, {}, TODAY)
    assert here.pages(best.documents[:COUNT].tolist())
    read.set()
    whole = both.embedded.begin_facets(query, both.embedded.find(query, COUNT), None, {}, TODAY)
    assert coming().counts == whole().counts
