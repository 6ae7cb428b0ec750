"""Some documents as a segment of their own are ranked as in the index that they are of."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from engine.index.cluster_form.term_vectors import FetchedVector, TermVector
from engine.index.cluster_searching.candidates import (
    CandidateReader,
    collect_terms,
    open_candidates,
    strip_filters,
)
from engine.index.cluster_searching.statistics import ClusterStatistics, list_counted
from engine.index.query.parser import parse_query
from engine.index.query.relaxation import relax
from engine.index.query.tree import MostOf, Query, Word
from engine.index.reader.posting_lists import Documents
from engine.index.scoring.block_max import DocumentCounts
from engine.index.scoring.statistics import count_marks
from engine.index.searching.directory_snapshot import DirectorySnapshot
from engine.index.searching.index_searcher import IndexSearcher
from engine.index.searching.snapshot import Snapshot
from engine.model.page import Flag
from engine.ranking import Ranking
from tests.engine.index.cluster_indexing.indexed import Indexed
from tests.engine.index.searching.test_evaluate_random import Asking
from tests.engine.index.source import corpus, page

COUNT = 10
TYPED = [
    ("amber", "a word"),
    ("amber basil cedar", "words, of which some documents miss one"),
    ("amber absent", "a word that nobody has"),
    ('"amber basil"', "a phrase"),
    ('"amber"', "a word as it is typed"),
    ("amb*", "a prefix of one part of a vector"),
    ("a* basil", "a prefix that may be in any part"),
    ("amber (cedar OR -basil)", "without another, within a group"),
    ("amber -basil", "without another"),
    ("amber site:site1.example", "of one site"),
    ("amber (site:site1.example OR basil)", "a key within a group"),
    ("intitle:amber basil", "in one text"),
    ("inurl:amber OR cedar", "in a text without positions"),
    ("git-rebase todo", "a word of parts"),
    ("git rebase-todo", "the other one"),
    ("Ämber élan", "letters with accents"),
    ("what is the best amber of all", "a sentence, whose little words count less"),
    ("lang:en", "a key alone"),
]
SAID = ["git-rebase todo list", "rebase todo with git", "élan d'ambre", "What is the best amber of all?"]
MORE = [
    page(f"http://more.example/{at}", text, title=text[:12], language="en") for at, text in enumerate(SAID)
]
FLAGGED = [replace(page(f"http://flagged.example/{at}", "amber"), flag=Flag.PARKED) for at in range(3)]
PAGES = [*corpus(90), *MORE, *FLAGGED]


def read_query(snapshot: DirectorySnapshot, typed: str) -> Query:
    """The query as it is searched for."""
    languages = snapshot.reader.languages
    return relax(parse_query(typed, languages, snapshot.numbers).query, languages, Ranking().stopword)


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Indexed]:
    made = Indexed(tmp_path_factory.mktemp("candidates"), PAGES)
    yield made
    made.snapshot.close()


@pytest.fixture(scope="module")
def vectors(indexed: Indexed) -> dict[str, TermVector]:
    return indexed.vectors()


def count_parts(snapshot: DirectorySnapshot, query: Query) -> dict[Query, DocumentCounts]:
    """The counts of the whole index."""
    evaluate = snapshot.evaluate
    return {
        part: evaluate.words(part).counts if isinstance(part, Word) else count_marks(evaluate(part).scores)
        for part in list_counted(query)
    }


def open_some(
    snapshot: DirectorySnapshot, vectors: dict[str, TermVector], query: Query, documents: Documents
) -> CandidateReader:
    """These documents, with those parts of their vectors alone that the query asks for."""
    wanted, urls = collect_terms(query), snapshot.reader.urls(documents.tolist())
    fetched = [
        FetchedVector(vectors[url].head, {number: vectors[url].parts[number] for number in wanted.parts})
        for url in urls
    ]
    return open_candidates(urls, snapshot.votes, fetched, wanted)


def list_best(searcher: IndexSearcher | Snapshot, query: Query) -> list[tuple[str, float]]:
    ranked = searcher.rank(searcher.find(query, COUNT), COUNT)
    urls = searcher.urls([one.document for one in ranked])
    return [(url, one.score) for url, one in zip(urls, ranked, strict=True)]


def assert_alike(indexed: Indexed, vectors: dict[str, TermVector], query: Query, why: object) -> int:
    """Asserts that the candidates come in the same order with the same scores; returns how many."""
    snapshot = indexed.snapshot
    every = np.arange(snapshot.reader.size, dtype=np.int32)
    found = every if isinstance(query, MostOf) else snapshot.evaluate(query).documents
    expected = list_best(snapshot, query)
    if not len(found):
        assert expected == [], why
        return 0
    statistics = ClusterStatistics(
        snapshot.reader.documents, snapshot.reader.averages, count_parts(snapshot, query)
    )
    reader = open_some(snapshot, vectors, query, found)
    ours = list_best(IndexSearcher(reader, Ranking(), statistics), strip_filters(query))
    assert [url for url, _ in ours] == [url for url, _ in expected], why
    assert [score for _, score in ours] == pytest.approx([score for _, score in expected], rel=1e-5), why
    return len(ours)


@pytest.mark.parametrize(("typed", "why"), TYPED, ids=[why for _, why in TYPED])
def test_what_is_typed(indexed: Indexed, vectors: dict[str, TermVector], typed: str, why: str) -> None:
    assert assert_alike(indexed, vectors, read_query(indexed.snapshot, typed), why)


@pytest.mark.parametrize("count", [60, pytest.param(2_000, marks=pytest.mark.long)])
def test_queries_that_nobody_would_ask(indexed: Indexed, vectors: dict[str, TermVector], count: int) -> None:
    found = sum(
        bool(assert_alike(indexed, vectors, query, query))
        for query in (Asking(seed).query() for seed in range(count))
    )
    assert found > count // 2, "most queries find something"
