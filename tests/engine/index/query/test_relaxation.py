"""All words are wanted, and the pages that have most of them are not lost."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.index.query.parser import parse_any_word, parse_tree
from engine.index.query.relaxation import relax
from engine.index.query.tree import AllOf, AnyOf, Boost, Every, Field, MostOf, Phrase, Query, Word
from engine.index.reader.cache import IndexCache
from engine.index.reader.directory_reader import DirectoryReader
from engine.index.reader.scored_documents import are_own
from engine.index.scoring.best import Best, Flagged
from engine.index.scoring.statistics import ReaderStatistics
from engine.index.searching.evaluate import Evaluator
from engine.ranking import Ranking, idf
from engine.search.search import SearchService
from tests.engine.index.searching.test_evaluate import follow_in_parts
from tests.engine.index.source import WORDS, Memory, corpus, page

EN = frozenset({"en"})
SHARE = 0.1
NONE = Flagged(np.empty(0, np.int32), 1.0)


def w(term: str) -> Word:
    return Word(frozenset([term]))


A, B, C, D = map(w, ("amber", "basil", "cedar", "dune"))
SIDE = Phrase((A, B), quoted=True)
VERY = AllOf((A,), only=(Field("forms", "amber"),))
EITHER = AnyOf((Field("title", "amber"), Field("title", "~amber")))
KEY = Field("host", "http://site1.example")

EASED = [
    (A, A, "a word alone is wanted"),
    (AllOf((A, B)), MostOf((A, B)), "either may be missing"),
    (AllOf((A, B), (C,)), MostOf((A, B), (), (C,)), "what is unwanted stays unwanted"),
    (AllOf((A, SIDE)), AllOf((A, SIDE)), "who quotes insists, and one word is left"),
    (AllOf((A, C, SIDE)), MostOf((A, C), (SIDE,)), "who quotes insists"),
    (AllOf((B, C, VERY)), MostOf((B, C), (VERY,)), "who quotes a word, too"),
    (AllOf((B, C, EITHER)), MostOf((B, C), (EITHER,)), "nor is a word of the title, in any spelling"),
    (AllOf((A, C, Phrase((A, B)))), MostOf((A, C, Phrase((A, B)))), "what was typed in one is a word"),
    (AllOf((A, B, KEY)), MostOf((A, B), (KEY,)), "a key is no word"),
    (AllOf((A, Every())), AllOf((A, Every())), "one word is left"),
    (AllOf((A, AllOf((B, C)))), MostOf((A, B, C)), "letters without spaces are a group of pairs"),
    (AnyOf((A, B)), AnyOf((A, B)), "any will do as it is"),
]


@pytest.mark.parametrize(("query", "easier", "why"), EASED)
def test_what_of_a_query_may_be_missing(query: Query, easier: Query, why: str) -> None:
    assert relax(query, EN, SHARE) == easier, why


SENTENCES = [
    ("which tree has the hardest wood", {"which", "has", "the"}, "a question"),
    ("the with statement", set(), "a few words: each is meant"),
    ("to be or not to be", set(), "nothing else is left"),
    ("what is the hardest wood", {"what", "is", "the"}, "two other words are enough"),
    ("what is of the wood", set(), "one is not, however long the sentence"),
    ("what is the wood", set(), "one other word: too little to go by"),
    ("wood tree bark leaf root", set(), "no little word"),
]


@pytest.mark.parametrize(("typed", "little", "why"), SENTENCES)
def test_little_words_of_a_sentence_count_little(typed: str, little: set[str], why: str) -> None:
    for query in (relax(parse_tree(typed, EN), EN, SHARE), relax(parse_any_word(typed, EN), EN, SHARE)):
        assert isinstance(query, MostOf | AnyOf), why
        boosts = [part for part in query.parts if isinstance(part, Boost)]
        assert {part.part.surface for part in boosts if isinstance(part.part, Word)} == little, why
        assert {part.factor for part in boosts} <= {SHARE}


def test_of_a_foreign_sentence_the_little_words_of_its_language() -> None:
    both = frozenset({"en", "de"})
    query = relax(parse_any_word("die Frau und der Mann in dem Garten", both), both, SHARE)
    assert isinstance(query, AnyOf)
    assert sum(isinstance(part, Boost) for part in query.parts) == 5


@pytest.fixture(scope="module")
def evaluator(tmp_path_factory: pytest.TempPathFactory) -> Evaluator:
    generation = follow_in_parts(Memory(), tmp_path_factory.mktemp("partial"), corpus(90))
    reader = DirectoryReader(generation.path, IndexCache())
    return Evaluator(reader, replace(Ranking(), partial_matches=1_000), ReaderStatistics(reader))


def by_document(best: Best) -> dict[int, float]:
    return dict(zip(best.documents.tolist(), best.scores.tolist(), strict=True))


words = st.lists(st.sampled_from(WORDS), min_size=2, max_size=5, unique=True)


@pytest.mark.slow
@pytest.mark.requirement(299)
@given(wanted=words, unwanted=st.lists(st.sampled_from(WORDS), max_size=1), limited=st.booleans())
@settings(max_examples=60, deadline=None)
def test_who_misses_a_word_loses_what_it_tells(
    evaluator: Evaluator, wanted: list[str], unwanted: list[str], limited: bool
) -> None:
    parts, but = tuple(map(w, wanted)), tuple(map(w, unwanted))
    only = np.arange(0, 90, 2, dtype=np.int32) if limited else None
    best = evaluator.collect_top(MostOf(parts, (), but), 200, NONE, only)
    full = by_document(evaluator.collect_top(AllOf(parts, but), 200, NONE, only))
    some = by_document(evaluator.collect_top(AllOf((AnyOf(parts),), but), 200, NONE, only))
    found, every = by_document(best), evaluator.words.reader.documents
    for document, score in some.items():
        if document not in full:
            for part in parts:
                one = evaluator(part)
                if not one.scores_of(np.array([document], np.int32))[0]:
                    score -= Ranking().missing * idf(every, int(are_own(one.scores).sum()))
            if score > 1e-4:
                full[document] = score
    left = {document: score for document, score in found.items() if score > 1e-4}  # but what rounding leaves
    assert left == pytest.approx(full, abs=1e-3)
    assert best.total == len(found)
    assert best.documents.tolist() == sorted(best.documents.tolist())


LINES = {
    "http://a.example/": "The kauri and the rimu and the totara grow tall; kauri, rimu, totara.",
    "http://b.example/": "A list: kauri. rimu. totara. hinau. " + "And much more that is of no matter. " * 60,
    "http://c.example/": "Nothing but hinau.",
    **{f"http://{n}.example/": "And much more that is of no matter." for n in range(20)},
}


@pytest.fixture(scope="module")
def trees(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SearchService]:
    folder = tmp_path_factory.mktemp("trees")
    source = Memory(*(page(url, text, language="en") for url, text in LINES.items()))
    follow_in_parts(source, folder, [])
    with closing(SearchService(folder)) as search:
        yield search


TREES = [
    ("kauri rimu totara hinau", "ab", "it misses one of four, and says so much more of the others"),
    ("kauri hinau", "b", "both of two come first"),
    ("kauri hinau -rimu", "c", "what is unwanted is not found in part either"),
    ('"kauri and" hinau rimu', "a", "a phrase in quotes is no part that may be missing"),
    ("hinau site", "cb", "a word that nobody has is missed by all"),
]


@pytest.mark.requirement(296)
@pytest.mark.parametrize(("typed", "order", "why"), TREES)
def test_most_of_the_words(trees: SearchService, typed: str, order: str, why: str) -> None:
    results = trees.search(typed)
    assert [hit.url for hit in results.hits][: len(order)] == [f"http://{one}.example/" for one in order], why
    assert results.total == len(results.hits)
