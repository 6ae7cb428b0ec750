"""Random queries of every kind: the fast path, Whoosh's matchers and plain Python find the same."""

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from whoosh import index as whoosh_index
from whoosh.query import compound, positional, qcore, ranges, terms, wrappers

from engine import generations
from engine.index.documents.document import make_document
from engine.index.indexing.writer import Writer
from engine.index.query.tree import (
    AllOf,
    AndMaybe,
    AnyOf,
    Boost,
    Compound,
    Every,
    Field,
    Phrase,
    Prefix,
    Query,
    Range,
    Word,
)
from engine.index.reader.cache import IndexCache
from engine.index.reader.directory_reader import DirectoryReader
from engine.index.reader.posting_lists import Documents
from engine.index.schema.schema import OWN_FIELDS, PHRASE_FIELDS, TEXT_FIELDS
from engine.index.scoring import best, block_max
from engine.index.scoring.best import Flagged
from engine.index.scoring.statistics import ReaderStatistics
from engine.index.searching.evaluate import Evaluator
from engine.model.page import Page
from engine.packing.packing import pack_page
from engine.ranking import Ranking
from engine.store.change import Change
from engine.text.analysis.analyzer import analyse
from tests.engine.index.formula import Formula
from tests.engine.index.searching.test_evaluate import follow_in_parts
from tests.engine.index.source import WORDS, Memory, corpus

WHOOSH: Any = whoosh_index
EVERY: Any = qcore.Every()  # type: ignore[no-untyped-call]
PAGES = 90
BEST = 3
# How many queries, and which part of them is asked of Whoosh, too: it takes ten times as long.
COUNTS = [(60, 5), pytest.param(2_000, 1, marks=[pytest.mark.long, pytest.mark.timeout(900)])]


class Alike:
    """One index in several segments with deleted documents, and three that answer from it."""

    def __init__(self, data_dir: Path, pages: list[Page]) -> None:
        generation = follow_in_parts(Memory(), data_dir, pages)
        self.path = generation.path
        self.searcher = WHOOSH.open_dir(str(generation.path)).searcher()
        self.reader = DirectoryReader(generation.path, IndexCache())
        self.evaluate = Evaluator(self.reader, Ranking(), ReaderStatistics(self.reader))
        writer = Writer(generation)
        kept = [one for at, one in enumerate(pages) if at % 7]
        said = writer.graph.anchors([one.url for one in kept])
        writer.close()
        made = {
            one.url: make_document(Change(0, one.url, pack_page(one)), said.get(one.url, ())) for one in kept
        }
        texts = {
            url: {name: analyse(text, "") for name, text in zip(TEXT_FIELDS, of.texts, strict=True)}
            for url, of in made.items()
        }
        self.formula = Formula(texts, {url: of.keys for url, of in made.items()})

    def ours(self, query: Query) -> dict[str, float]:
        found = self.evaluate(query)
        return self.scores(found.documents, found.scores.tolist())

    def best(self, query: Query, count: int) -> list[float]:
        """The best scores, best first."""
        best = self.evaluate.collect_top(query, count, Flagged(np.empty(0, np.int32), 1))
        return sorted(best.scores.tolist(), reverse=True)[:count]

    def scores(self, documents: Documents, scores: Sequence[float]) -> dict[str, float]:
        return dict(zip(self.reader.urls(documents.tolist()), scores, strict=True))

    def whooshs(self, query: Query) -> set[str]:
        numbers = self.searcher.docs_for_query(as_whooshs(query))
        return {self.searcher.stored_fields(number)["url"] for number in numbers}


@pytest.fixture(scope="module", params=["a few pages", "as many pages"])
def alike(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Alike]:
    """As it is, and with lists cut and read and pruned as those of a million pages are."""
    with pytest.MonkeyPatch.context() as patched:
        if request.param == "as many pages":
            patched.setattr(block_max, "FEW", 4)
            patched.setattr(block_max, "BLOCK_BITS", 2)
            patched.setattr(block_max, "MOST_KEPT", 2)
            patched.setattr(best, "SMALL", 4)
            patched.setattr(best, "COUNTED", 5)
        alike = Alike(tmp_path_factory.mktemp("alike"), corpus(PAGES))
        yield alike
        alike.searcher.close()


class Asking:
    """Queries that somebody might ask, and some that nobody would."""

    def __init__(self, seed: int) -> None:
        self._dice = random.Random(seed)

    def query(self, depth: int = 2) -> Query:
        kinds: list[Callable[[], Query]] = [self._word, self._word, self._phrase, self._compound]
        kinds += [self._field, self._range, self._prefix]
        if depth and self._dice.random() < 0.7:
            return self._group(depth - 1)
        return Every() if self._dice.random() < 0.03 else self._dice.choice(kinds)()

    def _group(self, depth: int) -> Query:
        parts = tuple(self.query(depth) for _ in range(self._dice.randint(1, 3)))
        match self._dice.randrange(5):
            case 0 | 1:
                return AnyOf(parts)
            case 2:
                return AndMaybe(self.query(depth), parts[0])
            case 3:
                return Boost(parts[0], self._dice.choice([0.5, 2.0]))
        but = tuple(self.query(0) for _ in range(self._dice.randrange(2)))
        return AllOf(parts, but)

    def _terms(self, most: int) -> frozenset[str]:
        return frozenset(self._dice.sample([*WORDS, "absent"], self._dice.randint(1, most)))

    def _word(self) -> Word:
        said = self._terms(2)
        return Word(said, self._terms(2) - said if self._dice.random() < 0.3 else frozenset())

    def _phrase(self) -> Phrase:
        """Of some words, one of them may be another."""
        return Phrase(tuple(Word(self._terms(2)) for _ in range(self._dice.randint(2, 3))))

    def _compound(self) -> Compound:
        return Compound(self._word(), self._phrase() if self._dice.random() < 0.5 else self._word())

    def _field(self) -> Field:
        if self._dice.random() < 0.5:
            return Field("host", f"http://site{self._dice.randrange(12)}.example")
        return Field(self._dice.choice(TEXT_FIELDS), self._dice.choice(WORDS))

    def _range(self) -> Range:
        first, last = sorted(f"http://site{self._dice.randrange(12)}.example" for _ in range(2))
        return Range("host", first, last)

    def _prefix(self) -> Prefix:
        return Prefix(self._dice.choice(WORDS)[: self._dice.randint(1, 3)])


def as_whooshs(query: Query, fields: Sequence[str] = TEXT_FIELDS) -> Any:
    """Our tree as Whoosh's; the rest of a page (without it: OWN_FIELDS) is no reason to leave it out."""
    match query:
        case Compound():
            return compound.Or([as_whooshs(query.whole, fields), as_whooshs(query.parts, fields)])
        case AllOf():
            wanted = [as_whooshs(part, fields) for part in query.parts]
            unwanted = [wrappers.Not(as_whooshs(part, OWN_FIELDS)) for part in query.but]
            return compound.And([*wanted, *unwanted])
        case AnyOf():
            return compound.Or([as_whooshs(part, fields) for part in query.parts])
        case AndMaybe():
            return compound.AndMaybe(as_whooshs(query.part, fields), as_whooshs(query.maybe, fields))
        case Boost():
            return as_whooshs(query.part, fields)
    return _terms_as_whooshs(query, fields)


def _terms_as_whooshs(query: Query, fields: Sequence[str]) -> Any:
    match query:
        case Word():
            return compound.Or(
                [terms.Term(name, one) for name in fields for one in query.terms | query.variants]
            )
        case Phrase():
            said = [list(row) for row in product(*(word.terms | word.variants for word in query.words))]
            return compound.Or([positional.Phrase(name, row) for name in PHRASE_FIELDS for row in said])
        case Prefix():
            return compound.Or([terms.Prefix(name, query.beginning) for name in fields])
        case Field():
            within = query.name not in TEXT_FIELDS or query.name in fields
            return terms.Term(query.name, query.term) if within else compound.Or([])
        case Range():
            return ranges.TermRange(query.key, query.first, query.last)
    return EVERY


@pytest.mark.slow
@pytest.mark.requirement(291)
@pytest.mark.parametrize(("count", "part"), COUNTS)
def test_documents_are_those_of_whoosh_and_scores_those_of_the_formula(
    alike: Alike, count: int, part: int
) -> None:
    """By the index alone, as a look at every document would have it."""
    found = 0
    for seed in range(count):
        query = Asking(seed).query()
        ours, expected = alike.ours(query), alike.formula(query)
        if seed % part == 0:
            assert set(ours) == alike.whooshs(query), query
        assert ours == pytest.approx({url: match.score for url, match in expected.items()}, rel=1e-4), query
        scores = sorted((match.score for match in expected.values()), reverse=True)
        assert alike.best(query, BEST) == pytest.approx(scores[:BEST], rel=1e-4), query
        found += bool(ours)
    assert found > count // 2, "most queries find something"


def test_several_segments_with_deletions_give_what_one_segment_gives(tmp_path: Path) -> None:
    apart = Alike(tmp_path, corpus(PAGES))
    queries = [Asking(seed).query() for seed in range(60)]
    before = [apart.ours(query) for query in queries]
    generation = generations.current_generation(tmp_path)
    assert generation
    with closing(Writer(generation)) as writer:
        writer.merge()
    merged = DirectoryReader(generation.path, IndexCache())
    assert len(apart.reader.members) > 1 == len(merged.members)
    evaluate = Evaluator(merged, Ranking(), ReaderStatistics(merged))
    for query, expected in zip(queries, before, strict=True):
        found = evaluate(query)
        urls = merged.urls(found.documents.tolist())
        assert dict(zip(urls, found.scores.tolist(), strict=True)) == pytest.approx(expected, rel=1e-6), query
    apart.searcher.close()
