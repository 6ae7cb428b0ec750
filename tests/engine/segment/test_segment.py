"""A segment answers as an inverted index of plain lists does, whatever the documents are."""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import example, given, settings

from engine.segment.build import build_segment, pack_segment
from engine.segment.invert import MAX_DOCUMENTS, Entries, invert_entries
from engine.segment.layout import Layout, parse_layout
from engine.segment.occurrences import FEW, MAX_AMOUNT, MAX_POSITION
from engine.segment.segment import Segment
from tests.engine.segment.plain import (
    DOCUMENTS,
    LAYOUT,
    WORDS,
    Document,
    as_segment,
    holds,
    made_of,
    some_documents,
    spelled,
)

NOTHING = Document({}, {})


@pytest.mark.requirement(291)
@settings(max_examples=30)
@example([])
@example([NOTHING] * 3)
@given(DOCUMENTS)
def test_any_documents(documents: list[Document]) -> None:
    with TemporaryDirectory() as folder:
        holds(as_segment(Path(folder, "segment"), documents), documents)


@settings(max_examples=30)
@example([])
@given(DOCUMENTS)
def test_a_segment_in_memory_is_the_file(documents: list[Document]) -> None:
    """But for stored fields, which it has not."""
    made = made_of(documents)
    with TemporaryDirectory() as folder:
        build_segment(Path(folder, "segment"), *made._replace(records=[b""] * len(documents)))
        written = Path(folder, "segment").read_bytes()
    octets = pack_segment(made.layout, made.rows, made.runs[0], made.lengths, made.part_ends)
    assert octets == written
    assert list(Segment(octets).terms()) == list(Segment(written).terms())


@pytest.mark.parametrize("count", [1, 40, 130])
def test_many_documents(count: int, tmp_path: Path) -> None:
    documents = some_documents(count, count)
    documents[count // 2 : count // 2] = [NOTHING] * 2
    holds(as_segment(tmp_path / "segment", documents), documents)


@pytest.mark.requirement(292)
def test_the_example_of_three_documents(tmp_path: Path) -> None:
    """The word a is in A and B, best in A and C, drill in A and B, routine in B and C, the in all."""
    said = ["the best a drill", "a drill the routine", "the best routine"]
    documents = [
        Document({"body": [(word, at) for at, word in enumerate(text.split())]}, {}) for text in said
    ]
    segment = as_segment(tmp_path / "segment", documents)
    found = {
        term[1:].decode(): "".join("ABC"[at] for at in segment.postings(*places).documents)
        for number, term in enumerate(segment.terms())
        for places in [segment.dictionary.postings(number)]
    }
    assert found == {"a": "AB", "best": "AC", "drill": "AB", "routine": "BC", "the": "ABC"}


def test_a_batch_of_as_many_documents_as_there_may_be(tmp_path: Path) -> None:
    documents = [
        Document({"body": [("w", at), (f"w{at % 3}", 1)]}, {"url": [f"{at}"]}) for at in range(MAX_DOCUMENTS)
    ]
    segment = as_segment(tmp_path / "segment", documents)
    number = segment.number("body", "w")
    postings = segment.postings(*segment.dictionary.postings(number))
    owners, places = segment.positions(1, postings.start + np.arange(MAX_DOCUMENTS), postings.rows)
    assert postings.documents.tolist() == owners.tolist() == places.tolist() == list(range(MAX_DOCUMENTS))
    last = segment.number("url", f"{MAX_DOCUMENTS - 1}")
    assert segment.postings(*segment.dictionary.postings(last)).documents.tolist() == [MAX_DOCUMENTS - 1]


LONG: list[tuple[str, list[tuple[str, int]]]] = [
    ("a word that stands far behind", [("far", MAX_POSITION - 1), ("far", MAX_POSITION), ("near", 3)]),
    (
        "behind the last position all words stand at it",
        [("a", MAX_POSITION + 1), ("a", MAX_POSITION + 9), ("b", (1 << 31) - 1)],
    ),
    (
        "more of a word than are counted",
        [("a", at) for at in range(MAX_AMOUNT + 5)] + [("b", MAX_AMOUNT + 6)],
    ),
]


@pytest.mark.parametrize(("why", "words"), LONG, ids=[why for why, _ in LONG])
def test_very_long_texts(why: str, words: list[tuple[str, int]], tmp_path: Path) -> None:
    texts = {"title": words[-1:], "body": words, "rest": words[:2]}
    documents = [Document(texts, {}), NOTHING, Document({"body": [("a", 0), ("b", 5)]}, {"url": ["a"]})]
    holds(as_segment(tmp_path / "segment", documents), documents)


def test_words_that_one_text_has_more_and_less_often(tmp_path: Path) -> None:
    """Rows of one text with a small amount are found in another way than others."""
    amounts = [1, 2, FEW - 1, FEW, FEW + 1, 2, FEW - 1, FEW]
    said = [[("a", at) for at in range(amount)] for amount in amounts]
    documents = [Document({name: words}, {}) for words in said for name in LAYOUT.texts]
    segment = as_segment(tmp_path / "segment", documents)
    holds(segment, documents)
    assert len(segment.rows) == len(set(amounts)) * len(LAYOUT.texts)


OUT_OF_ORDER = [
    ("documents", (1, 0, 0), (0, 0, 0)),
    ("texts", (0, 1, 0), (0, 0, 0)),
    ("positions", (0, 0, 5), (0, 0, 4)),
]


@pytest.mark.parametrize(("why", "one", "other"), OUT_OF_ORDER, ids=[why for why, *_ in OUT_OF_ORDER])
def test_occurrences_of_a_term_come_in_order(why: str, one: tuple[int, ...], other: tuple[int, ...]) -> None:
    """Else postings would be wrong, and nobody would notice."""
    columns = [np.array(column, np.int32) for column in zip(one, other, strict=True)]
    with pytest.raises(ValueError, match="come by document"):
        invert_entries(LAYOUT, 1, spelled([b"\0a"]), Entries(np.zeros(2, np.int32), *columns))


@given(WORDS)
def test_terms_that_begin_alike(prefix: str) -> None:
    words = [
        "a",
        "ab",
        "abc",
        "b",
        "a\U0010ffff",
        "a\uffff",
        "ż",
        "z",
        "zz",
        "漢",
        "漢字",
        "😀",
        "😀😀",
        "\U0010ffff",
    ]
    words += [f"{word}{last}" for word in words for last in ("\x01", "\x7f", "\U0010ffff\U0010ffff")]
    documents = [Document({"title": [(word, 0) for word in words]}, {"url": words[:3]})]
    with TemporaryDirectory() as folder:
        segment = as_segment(Path(folder, "segment"), documents)
        for field, said in (("body", words), ("url", words[:3]), ("lang", [])):
            found = segment.numbers_with_prefix(field, prefix)
            terms = [segment.dictionary.term(number)[1:].decode() for number in found]
            assert terms == sorted(word for word in said if word.startswith(prefix))


def test_every_number_of_texts(tmp_path: Path) -> None:
    """One text, sixteen, those that are not placed, no keys."""
    for names in ("a", "abcdefghijklmnop"):
        for placed in ("", names[-1:], names):
            layout = Layout(tuple(names), frozenset(placed), ())
            words = {name: [(word, at) for at, word in enumerate(f"x y x {name}".split())] for name in names}
            documents = [Document(words, {}), Document({names[-1]: [("x", 4)]}, {})]
            holds(as_segment(tmp_path / "segment", documents, layout), documents, layout)


def test_a_layout_is_kept() -> None:
    assert parse_layout(LAYOUT.as_json()) == LAYOUT
