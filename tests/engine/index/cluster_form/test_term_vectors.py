"""A document's term vector has of each word what the segment has of it."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from engine.index.cluster_form.term_selection import select_terms
from engine.index.cluster_form.term_vectors import (
    PARTS,
    FetchedVector,
    TermVector,
    find_parts,
    pack_vectors,
    part_of_word,
)
from engine.index.documents.batch import make_entries, measure_texts
from engine.index.schema.schema import LAYOUT, NAMES
from engine.segment import BREAK
from tests.engine.index.cluster_indexing.indexed import Indexed
from tests.engine.index.source import corpus, page

BODY = "body"


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Indexed]:
    pages = [*corpus(40), page("http://a.example/", "Bäume und Bücher; élan, mod_rewrite C++ a.b " * 900)]
    made = Indexed(tmp_path_factory.mktemp("vectors"), pages)
    yield made
    made.snapshot.close()


def fetched(vector: TermVector, parts: range | list[int] = range(PARTS)) -> FetchedVector:
    return FetchedVector(vector.head, {number: vector.parts[number] for number in parts})


def test_all_that_the_dictionary_has_comes_back(indexed: Indexed) -> None:
    """But for the names of pages, which no query of words asks for."""
    for batch, _, numbering in indexed.batches():
        made, lengths = make_entries(batch, numbering), measure_texts(batch)
        used = np.unique(made.entries.terms).astype(np.int64)
        keys = dict(zip(used.tolist(), made.encode(used).octets.tobytes().split(BREAK), strict=False))
        columns = [column.tolist() for column in made.entries]
        expected = {
            (keys[term], document, column, position)
            for term, document, column, position in zip(*columns, strict=True)
            if not keys[term].startswith(LAYOUT.group(NAMES))
        }
        vectors = [fetched(one) for one in pack_vectors(made, lengths, batch.heading_ends)]
        found = select_terms(vectors, set(keys.values()), ())
        terms, *others = [column.tolist() for column in found.entries]
        assert set(zip((found.keys[term] for term in terms), *others, strict=True)) == expected
        assert np.array_equal(found.lengths, np.minimum(lengths, 65_535))
        assert all(map(np.array_equal, found.heading_ends, batch.heading_ends))


ALIKE = [
    ("amber", "~amber", "a variant lies beside the word"),
    ("ambergris", "amb", "a prefix of three letters"),
    ("été", "été", "letters, not octets, decide"),
]


@pytest.mark.parametrize(("word", "other", "why"), ALIKE, ids=[why for *_, why in ALIKE])
def test_words_that_begin_alike_lie_together(word: str, other: str, why: str) -> None:
    assert part_of_word(word) == part_of_word(other), why
    assert part_of_word(word) in find_parts(word[:3])
    assert len(find_parts(word[:2])) == PARTS


def test_no_part_has_most_of_the_words() -> None:
    words = [f"{a}{b}{c}" for a in "abcdefghij" for b in "aeiou" for c in "lmnrst"]
    counts = np.bincount(list(map(part_of_word, words)), minlength=PARTS)
    assert counts.max() < 2 * len(words) / PARTS


def test_a_long_page_is_read_in_part(indexed: Indexed) -> None:
    """Which is what parts are for."""
    vector = indexed.vectors()["http://a.example/"]
    whole = sum(map(len, vector.parts))
    assert max(len(vector.parts[part]) for part in map(part_of_word, ["bucher", "baum"])) < whole / 2


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Indexed]:
    made = Indexed(tmp_path, [page("http://e.example/")])
    yield made
    made.snapshot.close()


def test_a_page_without_text_has_a_vector(empty: Indexed) -> None:
    [vector] = empty.vectors().values()
    host = LAYOUT.key("host", "http://e.example")
    found = select_terms([fetched(vector)], {host}, ())
    assert found.keys == [host]
    assert len(found.lengths) == 1
