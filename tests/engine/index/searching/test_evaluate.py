"""The fast path beside Whoosh and BM25F in plain Python; test_evaluate_random.py has random queries."""

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from math import log
from pathlib import Path
from typing import Any

import pytest
from whoosh import index as whoosh_index
from whoosh.query import terms

from engine import generations
from engine.generations import FolderGeneration
from engine.index.documents.document import make_document
from engine.index.indexing.follow import Follower
from engine.index.query.tree import Phrase, Query, Word
from engine.index.reader.cache import IndexCache
from engine.index.reader.directory_reader import DirectoryReader
from engine.index.schema.schema import TEXT_FIELDS
from engine.index.scoring.statistics import ReaderStatistics
from engine.index.scoring.words import Words
from engine.index.searching.evaluate import Evaluator
from engine.linkgraph import Anchor, open_link_graph
from engine.model.page import Link, Page, Section
from engine.packing.packing import pack_page
from engine.ranking import Ranking
from engine.search.search import SearchService
from engine.store.change import Change
from engine.text.analysis.analyzer import Place, analyse
from tests.engine.index.formula import counted
from tests.engine.index.source import WORDS, Memory, corpus, page

WHOOSH: Any = whoosh_index


def follow_in_parts(source: Memory, data_dir: Path, pages: list[Page]) -> FolderGeneration:
    """Several segments, some of them with deleted documents."""
    follower = Follower(source, data_dir)
    third = len(pages) // 3
    for part in (pages[:third], pages[third : 2 * third], pages[2 * third :]):
        for one in part:
            source.put(one)
        follower.catch_up()
    for one in pages[::7]:
        source.remove(one.url)
    follower.catch_up()
    generation = generations.current_generation(data_dir)
    assert generation
    return generation


class Twins:
    """One index, read by Whoosh and by us."""

    def __init__(self, generation: FolderGeneration) -> None:
        self.generation = generation
        self.index = WHOOSH.open_dir(str(generation.path))
        self.searcher = self.index.searcher()
        self.reader = DirectoryReader(generation.path, IndexCache())
        self.evaluate = Evaluator(self.reader, Ranking(), ReaderStatistics(self.reader))
        self.graph = open_link_graph(generation.links)

    def close(self) -> None:
        self.searcher.close()
        self.graph.close()

    def ours(self, query: Query) -> dict[str, float]:
        found = self.evaluate(query)
        urls = self.reader.urls(found.documents.tolist())
        return dict(zip(urls, found.scores.tolist(), strict=True))


@pytest.fixture(scope="module")
def twins(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Twins]:
    data_dir = tmp_path_factory.mktemp("twins")
    twins = Twins(follow_in_parts(Memory(), data_dir, corpus(90)))
    yield twins
    twins.close()


def test_a_phrase_takes_any_spelling_of_each_word(twins: Twins) -> None:
    first, second, third = (Word(frozenset([term])) for term in WORDS[:3])
    either = Phrase((Word(first.terms | second.terms), third))
    assert set(twins.ours(either)) == {
        *twins.ours(Phrase((first, third))),
        *twins.ours(Phrase((second, third))),
    }


Texts = dict[str, list[Place]]
"""The terms of each text of a document, by field."""


def texts_of(one: Page, anchors: Sequence[Anchor]) -> Texts:
    made = make_document(Change(0, one.url, pack_page(one)), anchors)
    return {name: analyse(text, "") for name, text in zip(TEXT_FIELDS, made.texts, strict=True)}


def bm25f(pages: dict[str, Texts], spellings: frozenset[str], ranking: Ranking) -> dict[str, float]:
    """Robertson and Zaragoza's formula, word for word; the last field tells nothing of a word's rarity.

    Average lengths have two digits.
    """
    weighted, holding = dict.fromkeys(pages, 0.0), 0
    for name in TEXT_FIELDS:
        holding = sum(frequency > 0 for frequency in weighted.values())
        field = getattr(ranking, name)
        lengths = [len(texts[name]) for texts in pages.values() if texts[name]]
        average = float(f"{sum(lengths) / len(lengths):.1e}") if lengths else 1
        for url, texts in pages.items():
            said = Counter(term for place in texts[name] for term in place if term in spellings)
            count = sum(counted(name, often, len(texts[name])) for often in said.values())
            if count:
                scale = 1 - field.b + field.b * len(texts[name]) / average
                weighted[url] += field.weight * count / scale
    holding = holding or sum(frequency > 0 for frequency in weighted.values())
    idf = log(1 + (len(pages) - holding + 0.5) / (holding + 0.5))
    return {
        url: idf * (ranking.k1 + 1) * frequency / (ranking.k1 + frequency)
        for url, frequency in weighted.items()
        if frequency
    }


@pytest.mark.parametrize("spellings", [{"amber"}, {"pine"}, {"basil", "olive"}, {"absent"}])
def test_scores_are_bm25f(twins: Twins, spellings: set[str]) -> None:
    kept = {one.url: one for at, one in enumerate(corpus(90)) if at % 7}
    said = twins.graph.anchors(list(kept))
    fields = {url: texts_of(one, said.get(url, ())) for url, one in kept.items()}
    assert twins.ours(Word(frozenset(spellings))) == pytest.approx(
        bm25f(fields, frozenset(spellings), Ranking()), rel=1e-4
    )


@pytest.mark.requirement(292)
def test_the_figure_of_three_documents(tmp_path: Path) -> None:
    texts = {"A": "a drill the best", "B": "the drill routine a", "C": "best routine the"}
    pages = [page(f"http://{name}.example/", text) for name, text in texts.items()]
    Follower(Memory(*pages), tmp_path).catch_up()
    generation = generations.current_generation(tmp_path)
    assert generation
    twins = Twins(generation)
    table = {term: _holding(twins.reader, term) for term in ("a", "best", "drill", "routine", "the")}
    assert table == {"a": "AB", "best": "AC", "drill": "AB", "routine": "BC", "the": "ABC"}
    twins.close()


def _holding(reader: DirectoryReader, term: str) -> str:
    documents = reader.documents_with_term("body", term).tolist()
    return "".join(sorted(url[len("http://")].upper() for url in reader.urls(documents)))


def test_the_cache_holds_no_more_than_it_may(twins: Twins) -> None:
    cache = IndexCache(capacity=2_000)
    reader = DirectoryReader(twins.generation.path, cache)
    words = [Word(frozenset([word])) for word in WORDS]

    def find_all() -> list[list[int]]:
        find = Words(reader, Ranking(), ReaderStatistics(reader))
        return [find.score_all(word).documents.tolist() for word in words]

    first = find_all()
    assert 0 < cache.size <= 2_000
    assert find_all() == first


WHOOSH_ALONE = """
import sys
import engine.segment.codec
from whoosh import index, query
with index.open_dir(sys.argv[1]).searcher() as searcher:
    print(*(hit["url"] for hit in searcher.search(query.Term("body", "amber"))))
"""


@pytest.mark.slow
def test_whoosh_opens_and_searches_the_folder_with_our_codec_alone(tmp_path: Path) -> None:
    Follower(Memory(page("http://a.example/", "amber")), tmp_path).catch_up()
    generation = generations.current_generation(tmp_path)
    assert generation
    command = [sys.executable, "-c", WHOOSH_ALONE, str(generation.path)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert said.split() == ["http://a.example/"]


@pytest.mark.requirement(308)
def test_every_field_is_searched(tmp_path: Path) -> None:
    """The whole text, what stands around it included."""
    full = Page(
        "http://a.example/inpath",
        title="intitle",
        description="indescription",
        sections=(Section("", "", "inbody"), Section("inheading", "", "")),
        rest="inrest",
    )
    Follower(Memory(full, page("http://b.example/", links=[Link(full.url, "inanchor")])), tmp_path).catch_up()
    generation = generations.current_generation(tmp_path)
    assert generation
    twins = Twins(generation)
    for term in ("inpath", "intitle", "indescription", "inbody", "inheading", "inanchor", "inrest"):
        assert list(twins.ours(Word(frozenset([term])))) == [full.url], term
    twins.close()


@pytest.mark.requirement(308)
def test_a_word_of_the_rest_is_found_last_and_links_do_not_lift_it(tmp_path: Path) -> None:
    """A menu is a part of the text, but no page is about its menu."""
    about = page("http://about.example/", "some words of no interest, and amber, and basil")
    linked = Page("http://linked.example/", rest="Amber\nBasil", sections=(Section("", "", "cedar"),))
    voters = [Page(f"http://h{n}.example/", rest="Basil", links=[Link(linked.url, "x")]) for n in range(9)]
    Follower(Memory(about, linked, *voters), tmp_path).catch_up()
    with closing(SearchService(tmp_path)) as search:
        assert [hit.url for hit in search.search("amber").hits] == [about.url, linked.url]
        assert [hit.url for hit in search.search("cedar -basil").hits] == [linked.url]
        rare, in_menus = (search.search(word).hits[0].score for word in ("interest", "basil"))
        assert in_menus == pytest.approx(rare), "that it stands in menus makes a word no less rare"


def test_documents_of_one_host_are_found_together(twins: Twins) -> None:
    """A key that many documents of a batch have is one term of the dictionary."""
    held = {host: len(twins.reader.documents_with_term("host", host)) for host in twins.reader.hosts}
    assert sum(held.values()) == twins.reader.documents
    assert len(held) == 10
    found = twins.searcher.docs_for_query(terms.Term("host", "http://site1.example"))
    assert held["http://site1.example"] == len([*found])
