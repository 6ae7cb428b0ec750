"""Words close together: against the formula in plain Python, and what it does to the order."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import pairwise
from math import log
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import generations
from engine.index.indexing.follow import Follower
from engine.index.query.parser import parse_any_word
from engine.index.query.relaxation import relax
from engine.index.query.tree import AnyOf, Word
from engine.index.reader.cache import IndexCache
from engine.index.reader.leaf import FIELD
from engine.index.scoring.proximity import APART, REACH
from engine.index.scoring.rerank import compute_gains
from engine.index.searching.directory_snapshot import DirectorySnapshot
from engine.ranking import PROXIMITY, Ranking
from engine.text.analysis.analyzer import analyse
from tests.engine.index.formula import counted
from tests.engine.index.source import WORDS, Memory, corpus, page


def opened(
    data_dir: Path, *texts: str, ranking: Ranking | None = None, language: str = ""
) -> DirectorySnapshot:
    """The texts as pages 0, 1, ... of one host."""
    pages = [page(f"http://a.example/{number}", text, language=language) for number, text in enumerate(texts)]
    Follower(Memory(*pages), data_dir).catch_up()
    generation = generations.current_generation(data_dir)
    assert generation
    return DirectorySnapshot(generation, IndexCache(), ranking or Ranking())


BODIES = ["\n".join(section.text for section in one.sections) for one in corpus(30)]


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DirectorySnapshot]:
    with closing(opened(tmp_path_factory.mktemp("near"), *BODIES)) as snapshot:
        yield snapshot


def plainly(words: Sequence[str], body: Sequence[str], bodies: Sequence[Sequence[str]]) -> float:
    """Each two of the words that follow each other in the body, whatever else stands between them.

    A word that fills the body stands there once.
    """
    holding = {word: sum(word in of for of in bodies) for word in words}
    rare = {word: log(1 + (len(bodies) - of + 0.5) / (of + 0.5)) for word, of in holding.items()}
    near = dict.fromkeys(words, 0.0)
    stands = sorted(place for word in near for place in _stands(word, body))
    for (at, one), (then, other) in pairwise(stands):
        if one != other and then - at <= REACH:
            as_typed = abs(words.index(one) - words.index(other)) == 1
            share = (1 if as_typed else APART) / (then - at)
            near[one] += rare[other] * share
            near[other] += rare[one] * share
    return sum(min(1, rare[word]) * 2 * of / (1 + of) for word, of in near.items())


def _stands(word: str, body: Sequence[str]) -> list[tuple[int, str]]:
    found = [(at, word) for at, said in enumerate(body) if said == word]
    return found[: counted(FIELD, len(found), len(body))]


@settings(max_examples=40)
@given(
    typed=st.lists(st.sampled_from([*WORDS, "absent"]), min_size=1, max_size=6),
    aside=st.sets(st.sampled_from(WORDS), max_size=2),
)
def test_closeness_is_its_formula(snapshot: DirectorySnapshot, typed: list[str], aside: set[str]) -> None:
    """A word that comes twice counts where it came first; asides neither count nor stand between others."""
    documents = np.arange(snapshot.reader.size, dtype=np.int32)
    words, asides = [Word(frozenset([word])) for word in typed], {Word(frozenset([word])) for word in aside}
    bodies = [[place[0] for place in analyse(text, "")] for text in BODIES]
    order = [int(url.rpartition("/")[2]) for url in snapshot.reader.urls(documents.tolist())]
    told = [word for word in dict.fromkeys(typed) if word not in aside]
    expected = [plainly(told, bodies[number], bodies) for number in order]
    gained = compute_gains(snapshot.evaluate.words, words, asides, documents, Ranking())[PROXIMITY]
    assert gained.tolist() == pytest.approx(expected, rel=1e-5)


@pytest.mark.requirement(299)
@pytest.mark.parametrize(
    ("typed", "better", "worse", "why"),
    [
        ("red fox", "red fox and so on it goes", "red and so on it goes fox", "side by side"),
        ("red fox", "red and fox so on it goes", "red and so on fox it goes", "the nearer the better"),
        ("fox red", "red fox and so on it goes", "red and so on it goes fox", "in either order"),
        ("red old fox", "old fox and red so on it goes", "old and red so on it goes fox", "any pair counts"),
        (
            "red old fox",
            "old fox and so on it goes and so on it goes red",
            "red fox and so on it goes and so on it goes old",
            "most those that were typed one after the other",
        ),
        (
            "red old fox",
            "old and so fox or red and so on it goes and so on it goes",
            "old and so fox or so on it goes and so on it goes and red",
            "two that were not typed so say something, too",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_of_equal_texts_the_one_with_the_words_together_comes_first(
    tmp_path: Path, typed: str, better: str, worse: str, why: str
) -> None:
    filling = [f"others {number} say nothing" for number in range(9)]
    with closing(opened(tmp_path, worse, better, *filling)) as snapshot:
        hits = snapshot.rank(snapshot.find(parse_any_word(typed, [])), 10)
        urls = snapshot.reader.urls([hit.document for hit in hits])
    assert [url[-1] for url in urls] == ["1", "0"], why
    assert hits[0].score > hits[1].score, why


def test_two_terms_of_a_word_at_one_place_are_one(tmp_path: Path) -> None:
    """Where łódź stands, there stands ~lodz, too."""
    red, gained = Word(frozenset({"red"})), []
    with closing(opened(tmp_path, "łódź red old łódź", "łódź so red", "red")) as snapshot:
        documents, find = np.arange(3, dtype=np.int32), snapshot.evaluate.words
        for terms in ({"łódź"}, {"łódź", "~lodz"}):
            words = [Word(frozenset(terms)), red]
            gained.append(compute_gains(find, words, frozenset(), documents, Ranking())[PROXIMITY].tolist())
    assert gained[0] == gained[1]
    assert max(gained[0]) > 0


def test_little_words_of_a_sentence_stand_between_no_others(tmp_path: Path) -> None:
    """Nearness to "of" and "the" would say nothing, and would hide what stands behind them."""
    with closing(opened(tmp_path, "old lock of the file", "old lock so or file", "other")) as snapshot:
        query = relax(parse_any_word("what is the old lock of the file", []), frozenset({"en"}), 0.1)
        best = snapshot.rank_by_text(query)
        gained = snapshot.compute_gains(query, best).amounts[PROXIMITY]
        near = dict(zip(best.documents.tolist(), gained.tolist(), strict=True))
    assert near[0] == near[1] > 0


def test_pairs_of_letters_gain_nothing(tmp_path: Path) -> None:
    """They overlap: that they stand together is what the word is, not what its place is."""
    with closing(opened(tmp_path, "东京大学", "京大学东京")) as snapshot:
        query = parse_any_word("东京大学", [])
        assert isinstance(query, AnyOf)
        assert snapshot.find(query).scores == pytest.approx(snapshot.evaluate(query).scores, rel=1e-5)


@pytest.mark.requirement(306)
def test_equal_texts_gain_together_or_not_at_all(tmp_path: Path) -> None:
    ranking = replace(Ranking(), rerank_window=2)
    same = ["red fox here"] * 3
    with closing(opened(tmp_path, *same, "other", ranking=ranking)) as snapshot:
        scores = snapshot.find(parse_any_word("red fox", [])).scores
        assert len(set(scores.tolist())) == 1
        assert scores == pytest.approx(snapshot.evaluate(parse_any_word("red fox", [])).scores, rel=1e-5)
