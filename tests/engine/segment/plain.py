"""An inverted index of plain lists, which says what a segment must answer; the way from documents to one."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from engine.segment import stored
from engine.segment.build import MAX_LENGTH, PostingsRun, build_segment
from engine.segment.invert import Entries, invert_entries
from engine.segment.layout import Layout
from engine.segment.occurrences import MAX_AMOUNT, MAX_POSITION
from engine.segment.segment import Segment
from engine.segment.terms import BREAK, Terms, split_terms

LAYOUT = Layout(("title", "body", "rest"), frozenset({"title", "body"}), ("url", "lang"))


class Document(NamedTuple):
    """Words with their positions, by text; keys by field; a mark that only this document has."""

    texts: Mapping[str, Sequence[tuple[str, int]]]
    keys: Mapping[str, Sequence[str]]
    mark: int = 0


WORDS = st.sampled_from(["a", "ab", "abc", "b", "ż", "漢字", "😀", "\uffff", "\U0010ffff", "z\x01"])
_TEXT = st.lists(st.tuples(WORDS, st.integers(0, 9)), max_size=6)
_TEXTS = st.dictionaries(st.sampled_from(LAYOUT.texts), _TEXT)
_KEYS = st.dictionaries(st.sampled_from(LAYOUT.keys), st.lists(WORDS, max_size=2))
DOCUMENTS = st.lists(st.builds(Document, _TEXTS, _KEYS, st.integers(0, 10**6)), max_size=8)


def some_documents(seed: int, count: int, words: int = 60) -> list[Document]:
    """Documents of words that are as common as words are (Zipf), each with its own URL."""
    random = np.random.default_rng(seed)
    found = []
    for number in range(count):
        sizes = zip(LAYOUT.texts, random.integers(0, (4, words, 9)).tolist(), strict=True)
        texts = {
            name: [(f"w{word % 997}", at) for at, word in enumerate(random.zipf(1.3, size).tolist())]
            for name, size in sizes
        }
        keys = {"url": [f"http://{seed}/{number}"], "lang": [("en", "de", "pl")[number % 3]]}
        found.append(Document(texts, keys, number))
    return found


def terms_of(terms: Sequence[bytes]) -> Terms:
    """Terms side by side."""
    return split_terms(b"".join(term + BREAK for term in terms), len(terms))


def spelled(names: Sequence[bytes]) -> Callable[[NDArray[np.int64]], Terms]:
    """Terms by number, as invert_entries() asks for them."""
    return lambda numbers: terms_of([names[number] for number in numbers.tolist()])


def lengths_of(documents: Sequence[Document], layout: Layout = LAYOUT) -> dict[str, list[int]]:
    """How many words each document has in each text."""
    return {name: [len(document.texts.get(name, ())) for document in documents] for name in layout.texts}


def part_ends_of(document: Document) -> NDArray[np.uint16]:
    """Where the parts of a document end: as many as its mark tells, none among them."""
    return np.arange(document.mark % 4, dtype=np.uint16) * 7 + document.mark % 1_000


class Made(NamedTuple):
    """What build() is to write."""

    layout: Layout
    rows: NDArray[np.uint16]
    runs: list[PostingsRun]
    lengths: dict[str, NDArray[np.int64]]
    part_ends: list[NDArray[np.uint16]]
    records: list[bytes]


def made_of(documents: Sequence[Document], layout: Layout = LAYOUT) -> Made:
    """The documents, inverted; their occurrences came in no order but that of each term's."""
    numbers: dict[bytes, int] = defaultdict(lambda: len(numbers))
    found = []
    for at, document in enumerate(documents):
        for name, words in document.texts.items():
            column = layout.column_of(name)
            found += [(numbers[layout.key(name, word)], at, column, place) for word, place in words]
        for name, keys in document.keys.items():
            found += [(numbers[layout.key(name, key)], at, 0, 0) for key in keys]
    entries = np.array(found, np.int32).reshape(-1, 4)
    np.random.default_rng(0).shuffle(entries)
    turn = entries[:, 0] % 3
    entries = entries[np.lexsort((*entries.T[:0:-1], turn))]
    columns = map(np.ascontiguousarray, entries.T)
    rows, run = invert_entries(layout, len(numbers), spelled(list(numbers)), Entries(*columns))
    lengths = {name: np.array(values, np.int64) for name, values in lengths_of(documents, layout).items()}
    records = [stored.pack_fields({"mark": each.mark}) for each in documents]
    return Made(layout, rows, [run], lengths, list(map(part_ends_of, documents)), records)


def as_segment(path: Path, documents: Sequence[Document], layout: Layout = LAYOUT) -> Segment:
    """The documents as they go into an index."""
    build_segment(path, *made_of(documents, layout))
    return Segment(path)


def postings_of(
    documents: Sequence[Document], layout: Layout = LAYOUT
) -> dict[bytes, dict[int, list[list[int]]]]:
    """Term -> document -> for each text the positions, each once; a key stands once, at 0 of the first."""
    found: dict[bytes, dict[int, list[list[int]]]] = {}
    for at, document in enumerate(documents):
        texts = document.texts.items()
        places = [(name, word, min(place, MAX_POSITION)) for name, words in texts for word, place in words]
        places += [(name, word, 0) for name, words in document.keys.items() for word in words]
        for name, word, place in sorted(set(places)):
            of_term = found.setdefault(layout.key(name, word), {})
            of_term.setdefault(at, [[] for _ in layout.texts])[layout.column_of(name)].append(place)
    return found


def holds(segment: Segment, documents: Sequence[Document], layout: Layout = LAYOUT) -> None:
    """The segment is that of the documents, whichever way it is asked."""
    segment.check()
    wanted = postings_of(documents, layout)
    terms = sorted(wanted)
    assert segment.size == len(documents)
    assert list(segment.terms()) == terms
    postings, counts = segment.postings_of_terms(range(len(terms)))
    assert counts.tolist() == [len(wanted[term]) for term in terms]
    assert postings.documents.tolist() == [at for term in terms for at in wanted[term]]
    for number, term in enumerate(terms):
        assert segment.dictionary.find(term) == number
        _one(segment, number, wanted[term], layout if term[0] == 0 else None)
    for name, values in lengths_of(documents, layout).items():
        assert segment.lengths(name).tolist() == [min(value, MAX_LENGTH) for value in values]
    assert [segment.stored(at)["mark"] for at in range(segment.size)] == [each.mark for each in documents]
    ends = np.split(segment.part_ends, segment.part_starts[1:-1].astype(np.int64)) if documents else []
    assert [one.tolist() for one in ends] == [part_ends_of(each).tolist() for each in documents]


def _one(segment: Segment, number: int, wanted: Mapping[int, list[list[int]]], layout: Layout | None) -> None:
    """The postings of a term, and where it stands in the placed texts of the layout."""
    postings = segment.postings(*segment.dictionary.postings(number))
    assert postings.documents.tolist() == list(wanted)
    amounts = [[min(len(text), MAX_AMOUNT) for text in texts] for texts in wanted.values()]
    assert segment.rows[postings.rows].tolist() == amounts
    places = postings.start + np.arange(len(wanted))
    assert segment.rows_at(places).tolist() == postings.rows.tolist()
    for column in layout.placed_columns if layout else ():
        for chosen in (slice(None), slice(None, None, -1), slice(1, None, 3)):
            owners, found = segment.positions(column, places[chosen], postings.rows[chosen])
            texts = [texts[column][:MAX_AMOUNT] for texts in wanted.values()][chosen]
            assert found.tolist() == [place for text in texts for place in text]
            assert owners.tolist() == [at for at, text in enumerate(texts) for _ in text]
