import random

import pytest

from benchmarks.corpora.queries import KINDS, MAX_WORDS, SYNTAX, PageVocabulary, draw_queries, read_vocabulary
from benchmarks.peers.contest import BenchmarkQuery
from engine.errors import EngineError
from engine.model.page import Page, Section

TEXTS = [
    "the orb weaver and its web",
    "the wolf spider hunts at night, and not by web",
    "a burrow of silk or soil",
    "dew on the orb web at night",
    "prey",
    "os.path and foo_bar",
    "",
]


@pytest.fixture
def of() -> PageVocabulary:
    return read_vocabulary(map(page, TEXTS), random.Random(1))


def page(text: str) -> Page:
    return Page("http://h.example/", sections=[Section("", "", text)])


def drawn(kind: str, of: PageVocabulary) -> list[BenchmarkQuery]:
    return draw_queries(kind, 100, of, random.Random(2))


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_pages_give_the_same_queries(kind: str, of: PageVocabulary) -> None:
    assert drawn(kind, of) == drawn(kind, of)
    assert {len(asked.words) for asked in drawn(kind, of)} <= set(range(1, MAX_WORDS + 1))


def test_words_of_an_and_stand_in_one_page(of: PageVocabulary) -> None:
    assert all(any(set(asked.words) <= set(words(text)) for text in TEXTS) for asked in drawn("and", of))


def test_words_of_a_phrase_stand_side_by_side(of: PageVocabulary) -> None:
    assert all(any(" ".join(asked.words) in text for text in TEXTS) for asked in drawn("phrase", of))


@pytest.mark.parametrize("kind", ["or", "and"])
def test_no_word_is_taken_for_syntax(kind: str, of: PageVocabulary) -> None:
    assert not SYNTAX & {word for asked in drawn(kind, of) for word in asked.words}


def test_no_word_is_a_part_of_a_name(of: PageVocabulary) -> None:
    assert not {"os", "path", "foo", "bar"} & of.frequency.keys()


@pytest.mark.parametrize("text", ["", "web", "12 34", "to not", "os.path foo_bar"])
def test_pages_without_text_are_told(text: str) -> None:
    with pytest.raises(EngineError, match="no text"):
        read_vocabulary([page(text)], random.Random(1))


def words(text: str) -> list[str]:
    return text.replace(",", "").split()
