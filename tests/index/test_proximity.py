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

from engine.index import generations
from engine.index.cache import Cache
from engine.index.follow import Follower
from engine.index.gained import gain
from engine.index.proximity import REACH
from engine.index.query import AnyOf, Word, any_word
from engine.index.scoring import Ranking
from engine.index.snapshot import Snapshot
from engine.text import analyse
from tests.index.source import WORDS, Memory, corpus, page


def opened(data_dir: Path, *texts: str, ranking: Ranking | None = None, language: str = "") -> Snapshot:
    """The texts as pages 0, 1, ... of one host."""
    pages = [page(f"http://a.example/{number}", text, language=language) for number, text in enumerate(texts)]
    Follower(Memory(*pages), data_dir).catch_up()
    generation = generations.current(data_dir)
    assert generation
    return Snapshot(generation, Cache(), ranking or Ranking())


BODIES = ["\n".join(section.text for section in one.sections) for one in corpus(30)]


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Snapshot]:
    with closing(opened(tmp_path_factory.mktemp("near"), *BODIES)) as snapshot:
        yield snapshot


def plainly(words: Sequence[str], body: Sequence[str], bodies: Sequence[Sequence[str]]) -> float:
    """Each place of a word with the other word's next one on either side."""
    gained = 0.0
    for one, other in pairwise(words):
        if one == other:
            continue
        theirs = [at for at, word in enumerate(body) if word == other]
        near = 0.0
        for here in (at for at, word in enumerate(body) if word == one):
            after = [at - here for at in theirs if at > here]
            before = [here - at for at in theirs if at < here]
            near += sum(1 / min(way) ** 2 for way in (after, before) if way and min(way) <= REACH)
        holding = max(sum(word in of for of in bodies) for word in (one, other))
        gained += log(1 + (len(bodies) - holding + 0.5) / (holding + 0.5)) * 2 * near / (1 + near)
    return gained


@settings(max_examples=40)
@given(typed=st.lists(st.sampled_from([*WORDS, "absent"]), min_size=1, max_size=4))
def test_closeness_is_its_formula(snapshot: Snapshot, typed: list[str]) -> None:
    documents = np.arange(snapshot.reader.size, dtype=np.int32)
    words = [Word(frozenset([word])) for word in typed]
    bodies = [[place[0] for place in analyse(text, "")] for text in BODIES]
    order = [int(url.rpartition("/")[2]) for url in snapshot.reader.urls(documents.tolist())]
    expected = [plainly(typed, bodies[number], bodies) for number in order]
    gained = gain(snapshot.evaluate.words, words, documents, Ranking()).near
    assert gained.tolist() == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize(
    ("typed", "better", "worse", "why"),
    [
        ("red fox", "red fox and so on it goes", "red and so on it goes fox", "side by side"),
        ("red fox", "red and fox so on it goes", "red and so on fox it goes", "the nearer the better"),
        ("fox red", "red fox and so on it goes", "red and so on it goes fox", "in either order"),
        ("red old fox", "old fox and red so on it goes", "old and red so on it goes fox", "any pair counts"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_requirement_299_of_equal_texts_the_one_with_the_words_together_comes_first(
    tmp_path: Path, typed: str, better: str, worse: str, why: str
) -> None:
    filling = [f"others {number} say nothing" for number in range(9)]
    with closing(opened(tmp_path, worse, better, *filling)) as snapshot:
        hits = snapshot.ranked(snapshot.find(any_word(typed, [])), 10)
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
            gained.append(gain(find, words, documents, Ranking()).near.tolist())
    assert gained[0] == gained[1]
    assert max(gained[0]) > 0


def test_pairs_of_letters_gain_nothing(tmp_path: Path) -> None:
    """They overlap: that they stand together is what the word is, not what its place is."""
    with closing(opened(tmp_path, "东京大学", "京大学东京")) as snapshot:
        query = any_word("东京大学", [])
        assert isinstance(query, AnyOf)
        assert snapshot.find(query).scores == pytest.approx(snapshot.evaluate(query).scores, rel=1e-5)


def test_requirement_306_equal_texts_gain_together_or_not_at_all(tmp_path: Path) -> None:
    ranking = replace(Ranking(), best_texts=2)
    same = ["red fox here"] * 3
    with closing(opened(tmp_path, *same, "other", ranking=ranking)) as snapshot:
        scores = snapshot.find(any_word("red fox", [])).scores
        assert len(set(scores.tolist())) == 1
        assert scores == pytest.approx(snapshot.evaluate(any_word("red fox", [])).scores, rel=1e-5)
