"""What of a query is marked in a text."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.index.query.parser import parse_tree
from engine.index.snippets.matcher import QueryMatcher, build_matcher
from engine.text.analysis.analyzer import analyse_with_offsets

MARKS = [
    ("email", "en", "An e-mail came.", ["e-mail"], "a mark stands between its first two letters"),
    ("putnowait", "en", "q.put_nowait(x)", ["put_nowait"], "a whole whose parts were not typed"),
    ("die", "en", "He is dying.", ["dying"], "an irregular form writes y for i"),
    ("queue", "en", "A list.", [], "none of its letters"),
    ("queue", "en", "An acquired thing.", [], "its letters, but no word that begins with them"),
    ("C", "en", "C, B and C++", ["C", "C++"], "one letter is a word"),
    ("3", "en", "v3 of 3 parts", ["3"], "one figure is"),
    ("server", "en", "an HTTPServer", ["Server"], "a part that case shows"),
    ("baca", "id", "Dia membaca buku.", ["membaca"], "a stem without what stood before it"),
    ("Ärger", "de", "Viel Aerger.", ["Aerger"], "a stem with another letter for two"),
]


STOPWORDS = [
    ("how to open a file", "en", "How to open a file: open it.", ["open", "file", "open"], "little words"),
    ("to be or not to be", "en", "To be, or not.", ["To", "be", "or", "not"], "nothing else was typed"),
    ('"to a file"', "en", "Go to a file.", ["to", "a", "file"], "words in quotation marks"),
    ('"to" file', "en", "Go to a file.", ["to", "file"], "one alone in them"),
    ("to-do list", "en", "A to-do list.", ["to", "to-do", "do", "list"], "they are parts of a word"),
    ("how to file site:a.example", "en", "How to file.", ["file"], "beside a filter"),
    ("how to", "de", "How to do it.", ["How", "to"], "both are some, of another language than the page's"),
    ("how to file", "de", "How to file.", ["file"], "what was typed is in another one of the index"),
    ("die file", "de", "Die file.", ["file"], "those of the page's language"),
    ("an* file", "en", "An answer to a file.", ["An", "answer", "file"], "what begins a word is none"),
]


@pytest.mark.parametrize(
    ("typed", "language", "text", "marks", "why"), STOPWORDS, ids=[why for *_, why in STOPWORDS]
)
def test_stopwords_are_not_marked(typed: str, language: str, text: str, marks: list[str], why: str) -> None:
    wanted = build_matcher(parse_tree(typed, [language, "en"]), frozenset([language, "en"]))
    assert [text[start:end] for start, end in wanted.find_marks(text, language)] == marks, why


def of(typed: str, language: str) -> QueryMatcher:
    return build_matcher(parse_tree(typed, [language]), frozenset())


@pytest.mark.parametrize(("typed", "language", "text", "marks", "why"), MARKS, ids=[why for *_, why in MARKS])
def test_words_are_marked(typed: str, language: str, text: str, marks: list[str], why: str) -> None:
    assert [text[start:end] for start, end in of(typed, language).find_marks(text, language)] == marks, why


@given(
    st.lists(st.sampled_from(["put", "nowait", "runs", "C++", "isı", "III", "e", "mail"]), min_size=1),
    st.text("eEiImnoprtuwaslC+._-' \n12ıé", max_size=60),
    st.sampled_from(["en", "tr", "id", ""]),
)
@settings(max_examples=60)
def test_all_that_the_analysis_finds_is_marked(typed: list[str], text: str, language: str) -> None:
    wanted = of(" ".join(typed), language)
    there = [
        (start, end)
        for term, start, end in analyse_with_offsets(text, language)
        if any(needle.is_among((term,)) for needle in wanted.needles)
    ]
    assert list(wanted.find_marks(text, language)) == there


def test_a_compound_is_numbered_behind_its_parts() -> None:
    """Where all of them match, the passage is chosen by the parts, each as rare as it is."""
    wanted = of("object NotImplemented", "en")
    assert [needle.is_among(("notimplemented",)) for needle in wanted.needles] == [False, False, False, True]
    assert wanted.phrases == [(1, 2)]
