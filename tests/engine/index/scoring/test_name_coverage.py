"""Names that consist of the query's words: against the formula in plain Python, and what they do."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import generations
from engine.index.indexing.follow import Follower
from engine.index.query.collectors import collect_words
from engine.index.query.parser import parse_any_word
from engine.index.query.tree import AnyOf, Word
from engine.index.reader.cache import IndexCache
from engine.index.scoring.heading_coverage import LEAST_TOLD
from engine.index.scoring.name_coverage import STUFFED_BODY, STUFFED_NAMES
from engine.index.scoring.rerank import compute_gains
from engine.index.scoring.title_coverage import IN_ORDER, MOST_REPEATED
from engine.index.searching.directory_snapshot import DirectorySnapshot
from engine.model.page import Page, Section
from engine.ranking import HEADING_COVERAGE, STUFFED_FROM, TITLE_COVERAGE, Ranking
from engine.search.search import SearchService
from tests.engine.index.source import WORDS, Memory, corpus, page
from tests.engine.search.test_search import urls

HEADINGS = [
    ["amber basil", "cedar"],
    ["amber"],
    ["", "basil amber amber"],
    [],
    ["olive", "olive pine", "pine"],
]


def named(number: int, one: Page) -> Page:
    """A page of its own host with some headings more, so that no word is of a template."""
    more = [Section(heading, "", "") for heading in HEADINGS[number % len(HEADINGS)]]
    return replace(one, url=f"http://n{number}.example/", sections=(*one.sections, *more))


PAGES = [named(number, one) for number, one in enumerate(corpus(40))]


def opened(data_dir: Path, pages: Sequence[Page]) -> DirectorySnapshot:
    Follower(Memory(*pages), data_dir).catch_up()
    generation = generations.current_generation(data_dir)
    assert generation
    return DirectorySnapshot(generation, IndexCache(), Ranking())


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DirectorySnapshot]:
    with closing(opened(tmp_path_factory.mktemp("names"), PAGES)) as snapshot:
        yield snapshot


def plainly(asked: dict[str, float], of: Page) -> tuple[float, float]:
    """What a page gains by its title, and by its best heading."""
    body = " ".join(section.text for section in of.sections).split()
    headings = [section.heading.split() for section in of.sections if section.heading]
    every = [word for heading in headings for word in heading]
    able = {
        word: idf
        for word, idf in asked.items()
        if not body.count(word) > max(STUFFED_FROM, STUFFED_BODY * len(body))
        and not every.count(word) > max(STUFFED_FROM, STUFFED_NAMES * len(every))
    }
    whole = sum(asked.values())

    def gain(name: Sequence[str], most: int, power: int, least: float) -> float:
        covered = sum(min(name.count(word), most) for word in able)
        told = sum(idf for word, idf in able.items() if word in name)
        is_named = name and told >= least * whole
        return (told + 1) * told / whole * min(covered / len(name), 1) ** power if is_named else 0.0

    words, title = list(asked), of.title.split()
    gained = gain(title, MOST_REPEATED, 3, 0)
    if set(words) == set(title) and set(words) <= set(able) and len(words) > 1:
        there = set(pairwise(title))
        gained *= 1 + IN_ORDER * sum(pair in there for pair in pairwise(words)) / (len(words) - 1)
    return gained, max((gain(heading, len(heading), 1, LEAST_TOLD) for heading in headings), default=0.0)


@given(st.lists(st.sampled_from([*WORDS[:8], "nowhere"]), min_size=1, max_size=4))
@settings(deadline=None, max_examples=60)
def test_as_the_formula_has_it(snapshot: DirectorySnapshot, words: list[str]) -> None:
    query = parse_any_word(" ".join(words), frozenset({""}))
    parts = query.parts if isinstance(query, AnyOf) else (query,)
    typed = [part for part in parts if isinstance(part, Word)]
    find = snapshot.evaluate.words
    idfs = {word: find(one).factor / (find.k1 + 1) for word, one in zip(words, typed, strict=True)}
    documents = np.arange(len(PAGES), dtype=np.int32)
    gained = compute_gains(find, typed, frozenset(), documents, Ranking())
    every = {one.url: one for one in PAGES}
    expected = [plainly(idfs, every[url]) for url in snapshot.reader.urls(documents.tolist())]
    assert gained[TITLE_COVERAGE].tolist() == pytest.approx(
        [title for title, _ in expected], rel=1e-4, abs=1e-5
    )
    assert gained[HEADING_COVERAGE].tolist() == pytest.approx(
        [best for _, best in expected], rel=1e-4, abs=1e-5
    )


TEXT = "Show the working tree and what is staged; see git status, git add and git commit for more. " * 3
MANUAL = [
    page(
        f"http://git.example/{name}",
        f"{TEXT} {f'git {name} and git status --branch of a branch ' * (4 * (name == 'config'))}",
        title=f"git-{name}(1) Manual Page",
        language="en",
    )
    for name in ("status", "config", "branch", "add", "commit", "log", "show", "diff", "merge", "rebase-todo")
]
NAVIGATED = [
    ("git status", "status", "the title without what all titles have"),
    ("status", "status", "the bare name"),
    ("git-status(1)", "status", "as it is written"),
    ("branch", "branch", "and not the page that has the word most often"),
    ("git config", "config", "that page under its own name"),
    ("rebase-todo", "rebase-todo", "a name of two parts"),
    ("git rebase todo", "rebase-todo", "in two words"),
]


MANY_PARTS = [
    ("Using RewriteMap", "its parts stand nowhere alone"),
    ("RewriteMap", "nor here"),
    ("Map of Rewrite Using", "the same words in another order"),
    ("Rewrite Map", "two words"),
]


@pytest.fixture(scope="module")
def manual(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SearchService]:
    folder = tmp_path_factory.mktemp("manual")
    Follower(Memory(*MANUAL), folder).catch_up()
    with closing(SearchService(folder)) as search:
        yield search


@pytest.mark.parametrize(("typed", "name", "why"), NAVIGATED, ids=[typed for typed, *_ in NAVIGATED])
def test_the_page_that_is_named_comes_first(manual: SearchService, typed: str, name: str, why: str) -> None:
    assert urls(manual.search(typed))[0] == f"http://git.example/{name}", why


@pytest.mark.parametrize(("typed", "why"), MANY_PARTS, ids=[typed for typed, _ in MANY_PARTS])
def test_a_title_of_a_name_in_parts_comes_first(tmp_path: Path, typed: str, why: str) -> None:
    """Before a page of the same text that more pages link to, and which has the words in another title."""
    text = (
        "A rewrite is using a map, as RewriteMap names it, for the paths of old pages that people still ask "
        "for; each line of it has two of them, and whoever keeps the file writes the newest line at its end."
    )
    titles = [*(typed for typed, _ in MANY_PARTS), "Rewrite", "Using the Rewrite module and its RewriteMap"]
    pages = [
        page(f"http://manual.example/{at}", text, title=title, language="en")
        for at, title in enumerate(titles)
    ]
    Follower(Memory(*pages, *corpus(20)), tmp_path).catch_up()
    with closing(SearchService(tmp_path)) as search:
        assert search.search(typed).hits[0].title == typed, why


BESIDE_OTHERS = [
    ("types built-in", "a part of one title only; of another all, in another order"),
    ("built-in", "a word of parts alone"),
    ("built-in types", "all of a title, in its order"),
    ("types", "no word of parts"),
]


@pytest.mark.parametrize(("typed", "why"), BESIDE_OTHERS, ids=[typed for typed, _ in BESIDE_OTHERS])
def test_what_a_title_counts_does_not_depend_on_other_titles(tmp_path: Path, typed: str, why: str) -> None:
    titles = ["Built-in Types", "Built-in Functions", "Types of builtin", "Built-in", "Types", "Exceptions"]
    pages = [
        page(f"http://t{at}.example/", "Some text.", title=title, language="en")
        for at, title in enumerate(titles)
    ]
    with closing(opened(tmp_path, [*pages, *corpus(20)])) as snapshot:
        words, find = collect_words(parse_any_word(typed, frozenset({"en"}))), snapshot.evaluate.words
        documents = np.arange(snapshot.reader.size, dtype=np.int32)
        together = compute_gains(find, words, frozenset(), documents, Ranking())
        alone = [compute_gains(find, words, frozenset(), one, Ranking()) for one in np.split(documents, 26)]
        assert np.array_equal(together, np.concatenate(alone, axis=1)), why


@pytest.mark.parametrize("typed", ["démarrage", "demarrage"])
def test_a_word_with_accents_covers_one_place_of_a_title(tmp_path: Path, typed: str) -> None:
    """Its plain spelling stands in the same place."""
    pages = [
        page(f"http://{host}.example/", "Le manuel du serveur.", title=title, language="fr")
        for host, title in (("a", "Démarrage du serveur rapide"), ("b", "Réseau du serveur rapide"))
    ]
    with closing(opened(tmp_path, [*pages, *corpus(20)])) as snapshot:
        words, find = collect_words(parse_any_word(typed, frozenset({"fr"}))), snapshot.evaluate.words
        told = find(words[0]).factor / (find.k1 + 1)
        documents = np.arange(snapshot.reader.size, dtype=np.int32)
        gained = compute_gains(find, words, frozenset(), documents, Ranking())
        assert max(gained[TITLE_COVERAGE]) == pytest.approx((told + 1) * (1 / 4) ** 3, rel=1e-4)


def test_a_page_with_such_a_heading_comes_before_one_with_the_words(tmp_path: Path) -> None:
    """Both say the same, and equally often."""
    text = "Rings of amber are found on the shore after storms, and washed by hand."
    heads = [("Amber rings", "Care"), ("Rings, chains and pins of the north", "Other amber of the shore")]
    pages = [
        replace(
            page(f"http://{n}.example/", language="en", title="Jewels"),
            sections=tuple(Section(head, "", text) for head in of),
        )
        for n, of in enumerate(heads)
    ]
    for order in (pages, pages[::-1]):
        Follower(Memory(*order, *corpus(20)), tmp_path / order[0].url[7]).catch_up()
        with closing(SearchService(tmp_path / order[0].url[7])) as search:
            assert urls(search.search("amber rings"))[:2] == [one.url for one in pages]
