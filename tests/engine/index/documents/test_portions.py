"""Documents of one segment: as many as the memory for their terms allows, of whatever these are made."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from engine.index.documents import portions as module
from engine.index.documents.document import Document, make_document
from engine.index.documents.portions import MAX_END, split_portions
from engine.model.page import Section
from engine.packing.packing import pack_page
from engine.store.change import Change
from engine.text.tokens import numbering
from engine.text.tokens.numbering import TermNumbering
from tests.engine.index.source import page

WORDS = 50  # in each text


def documents(texts: Sequence[str]) -> list[Document]:
    pages = [page(f"http://a.example/{number}", text) for number, text in enumerate(texts)]
    return [make_document(Change(1, one.url, pack_page(one)), ()) for one in pages]


def same(number: int) -> str:
    return "amber " * WORDS


def other(number: int) -> str:
    return " ".join(f"w{number}x{at}" for at in range(WORDS))


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bounds that a few words reach."""
    monkeypatch.setattr(module, "PIECE", 2 * 6 * WORDS)
    monkeypatch.setattr(module, "MAX_ENTRIES", 12 * WORDS)
    monkeypatch.setattr(numbering, "MAX_KNOWN", 12 * WORDS)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(
    ("texts", "sizes", "why"),
    [
        ([], [], "nothing"),
        ([same(0)], [1], "one"),
        ([same(n) for n in range(4)], [4], "what is known costs its occurrences alone"),
        ([same(n) for n in range(12)], [6, 6], "as often as it may occur"),
        ([other(n) for n in range(6)], [2, 2, 2], "what differs is sooner too much"),
        ([same(0), *map(other, range(4)), same(5)], [4, 2], "in whatever order it comes"),
        (["amber " * 12 * WORDS, same(1)], [1, 1], "one that is larger than a piece is alone"),
    ],
)
def test_a_portion_ends_where_its_terms_are_too_many(texts: list[str], sizes: list[int], why: str) -> None:
    of = documents(texts)
    found = list(split_portions(of, TermNumbering()))
    assert [one for portion in found for one in portion.documents] == of, why
    assert [len(portion.documents) for portion in found] == sizes, why


@pytest.mark.usefixtures("small")
def test_no_portion_has_more_documents_than_a_segment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_DOCUMENTS", 3)
    found = list(split_portions(documents(["x"] * 7), TermNumbering()))
    assert [len(portion.documents) for portion in found] == [3, 3, 1]


def test_pieces_of_a_portion_say_what_one_batch_says(monkeypatch: pytest.MonkeyPatch) -> None:
    of = documents([other(number) + " Amber Fern" for number in range(20)])
    whole = TermNumbering().number_texts((text, one.language) for one in of for text in one.texts)
    monkeypatch.setattr(module, "PIECE", 1_000)
    known = TermNumbering()
    (portion,) = split_portions(of, known)
    for ours, theirs in zip(portion.terms, whole, strict=True):
        assert ours.dtype == theirs.dtype == np.int32
        assert ours.tolist() == theirs.tolist()


@pytest.mark.parametrize(
    ("headings", "ends", "why"),
    [
        ([], [], "no heading"),
        (["Amber", "Fern and olive"], [1, 4], "positions, as in one text"),
        (["Amber", "", "--", "Fern"], [1, 2], "one without a word is none"),
        (["git-status(1)", "os.path"], [3, 5], "parts of a word are words"),
        (["w " * (MAX_END - 1), "amber fern", "olive"], [MAX_END - 1], "what 16 bits cannot tell"),
    ],
)
def test_headings_end_where_the_next_begins(headings: list[str], ends: list[int], why: str) -> None:
    """And their words stand where they stood in one text."""
    one = replace(
        page("http://a.example/", "text"), sections=tuple(Section(head, "", "text") for head in headings)
    )
    made = make_document(Change(1, one.url, pack_page(one)), ())
    (portion,) = split_portions([made, made], TermNumbering())
    assert [found.tolist() for found in portion.heading_ends] == [ends, ends], why
    whole = TermNumbering().number_texts((text, made.language) for text in made.texts * 2)
    assert all(np.array_equal(ours, theirs) for ours, theirs in zip(portion.terms, whole, strict=True))
