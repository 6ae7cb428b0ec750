"""Operators where they leave nothing to find: then they are the words that they are made of."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from engine.index.indexing.follow import Follower
from engine.index.snippets import TextCopy
from engine.model.note import Note, NoteKind
from engine.search.search import SearchService
from tests.engine.index.source import Memory, page

pytestmark = pytest.mark.requirement(296)

TEXTS = {
    "null": "A column that is not null: the IS NOT NULL operator.",
    "exists": "This is NOT EXISTS, or not; that is how it is.",
    "every": "Operators are AND, OR, NOT.",
    "is": "What it is and what it was.",
    "find": "To find a file by name: find -name amber.",
    "loop": "An event loop.",
    "cycle": "A cycle of loops while it is night.",
}


@pytest.fixture(scope="module")
def search(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SearchService]:
    folder = tmp_path_factory.mktemp("operators")
    pages = [page(f"http://{name}.example/", text, language="en") for name, text in TEXTS.items()]
    Follower(Memory(*pages), folder).catch_up()
    with closing(SearchService(folder)) as search:
        yield search


def names(search: SearchService, typed: str) -> set[str]:
    return {hit.host.partition(".")[0] for hit in search.search(typed).hits}


AS_WORDS = [
    ("NOT EXISTS", "exists", "nothing else is wanted"),
    ("IS NOT NULL", "null", "nothing else but a stop word"),
    ("IS NOT operator", "null", "the same, of which no page has all without the other"),
    ("column NOT NULL", "null", "no page has the one without the other"),
    ("AND OR NOT", "every", "nothing but operators"),
    ("amber -name", "find", "an option of a program"),
    ("file -amber site:find.example", "find", "a filter stays one"),
]


@pytest.mark.parametrize(("typed", "first", "why"), AS_WORDS)
def test_operators_that_leave_nothing_are_words(
    search: SearchService, typed: str, first: str, why: str
) -> None:
    results = search.search(typed)
    assert results.hits[0].host == f"{first}.example", why
    assert [note for note in results.notes if note.kind is not NoteKind.PARTIAL_MATCHES_AFTER] == [
        Note(NoteKind.OPERATORS_AS_WORDS, typed)
    ], why
    assert results.query == typed, why


AS_OPERATORS = [
    ("loop NOT while", {"loop"}, [], "what is left is found"),
    ("loop -while", {"loop"}, [], "by a minus as well"),
    ("loop OR amber", {"loop", "cycle", "find"}, [], "either word"),
    ("-amber", {"find"}, [NoteKind.ONLY_NEGATIVE], "without its minus it is the same word"),
    ("column -site:null.example", set(), [], "a filter is meant"),
    ('column -"not null"', set(), [], "so is a phrase"),
    ("column -absent -null", set(), [], "no page has all of the words"),
    ("NOT absent", set(), [NoteKind.ONLY_NEGATIVE], "nor here"),
]


@pytest.mark.parametrize(("typed", "found", "notes", "why"), AS_OPERATORS)
def test_operators_stay_operators(
    search: SearchService, typed: str, found: set[str], notes: list[NoteKind], why: str
) -> None:
    assert names(search, typed) == found, why
    assert [note.kind for note in search.search(typed).notes] == notes, why


def test_the_text_of_a_page_has_the_words_marked_that_it_was_found_by(search: SearchService) -> None:
    url = "http://null.example/"
    copy = search.copy_text(url, "IS NOT NULL")
    assert isinstance(copy, TextCopy)
    lines = [line for part in copy.parts for line in part.lines]
    marked = {line.text[start:end].lower() for line in lines for start, end in line.marks}
    assert marked == {"null"}, "the others are stop words"
    explained = search.explain(url, "IS NOT NULL")
    assert explained is not None
    assert explained.rank == 1
