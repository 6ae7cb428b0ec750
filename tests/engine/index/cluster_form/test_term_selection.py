"""What a query asks for is selected from term vectors, and nothing else."""

import struct
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from zstandard import ZstdError

from engine.index.cluster_form.part_packing import HEADER
from engine.index.cluster_form.term_selection import SelectedTerms, select_terms
from engine.index.cluster_form.term_vectors import (
    FetchedVector,
    TermVector,
    find_parts,
    part_of_word,
    split_head,
)
from engine.index.schema.schema import FORMS, KEYS, LAYOUT
from engine.segment import BREAK
from tests.engine.index.cluster_form.test_term_vectors import BODY, fetched, indexed
from tests.engine.index.cluster_indexing.indexed import Indexed
from tests.engine.index.source import WORDS

__all__ = ["indexed"]
ERRORS = (ZstdError, struct.error, ValueError, IndexError)


@pytest.fixture(scope="module")
def vectors(indexed: Indexed) -> dict[str, TermVector]:
    return indexed.vectors()


@given(
    wanted=st.sets(st.sampled_from([*WORDS, "absent", "élan", "elan"]), max_size=4),
    begins=st.sets(st.sampled_from(["am", "ambe", "c", "élan", "é", "~"]), max_size=2),
)
@settings(max_examples=40, deadline=None)
def test_the_parts_of_some_words_have_all_of_them(
    vectors: dict[str, TermVector], wanted: set[str], begins: set[str]
) -> None:
    keys = {LAYOUT.key(field, word) for word in wanted for field in (BODY, FORMS)}
    beginnings = {LAYOUT.key(field, begin) for begin in begins for field in (BODY, FORMS)}
    parts = sorted({*map(part_of_word, wanted), *(part for begin in begins for part in find_parts(begin))})
    every = select_terms(list(map(fetched, vectors.values())), keys, beginnings)
    some = select_terms([fetched(one, parts) for one in vectors.values()], keys, beginnings)
    assert said(every) == said(some)


def said(found: SelectedTerms) -> set[tuple[object, ...]]:
    """Keys, documents, columns and positions."""
    terms, *others = [column.tolist() for column in found.entries]
    return set(zip((found.keys[term] for term in terms), *others, strict=True))


DAMAGED: list[tuple[Callable[[bytes], bytes], str]] = [
    (lambda octets: octets[:-1], "cut off"),
    (lambda octets: octets[:-6] + bytes(6), "other octets"),
    (lambda octets: b"no frame", "something else"),
]


@pytest.mark.parametrize(("damage", "why"), DAMAGED, ids=[why for _, why in DAMAGED])
def test_a_damaged_vector_is_an_error(indexed: Indexed, damage: Callable[[bytes], bytes], why: str) -> None:
    vector = indexed.vectors()["http://a.example/"]
    word, part = LAYOUT.key(BODY, "bucher"), part_of_word("bucher")
    with pytest.raises(ZstdError):
        select_terms([FetchedVector(vector.head, {part: damage(vector.parts[part])})], {word}, ())


HEADS: list[tuple[Callable[[bytes], bytes], str]] = [
    (lambda head: head[:-1], "cut off"),
    (lambda head: head[:4], "within the lengths"),
    (lambda head: b"", "nothing"),
    (lambda head: head + b"more", "longer"),
    (lambda head: head.replace(b"\n", b" "), "keys without ends"),
]


@pytest.mark.parametrize(("damage", "why"), HEADS, ids=[why for _, why in HEADS])
def test_a_damaged_head_is_an_error(indexed: Indexed, damage: Callable[[bytes], bytes], why: str) -> None:
    """It has no checksum: it is short, and read with every candidate."""
    vector = indexed.vectors()["http://a.example/"]
    host = LAYOUT.key("host", "http://a.example")
    assert select_terms([FetchedVector(vector.head, {})], {host}, ()).keys == [host]
    with pytest.raises(ERRORS):
        select_terms([FetchedVector(damage(vector.head), {})], {host}, ())


def claim_much(head: bytes) -> bytes:
    """Makes the counts of the keys in a head so wide that the first two say 2^50 and about -2^50."""
    *_, part = split_head(head)
    keys, occurrences = (int.from_bytes(part[at : at + 4], "little") for at in (0, 4))
    text = part[HEADER.size : HEADER.size + keys]
    counts = [1 << 50, occurrences - (1 << 50), *[0] * (text.count(BREAK) - 3)]
    wide = b"".join(count.to_bytes(8, "little", signed=True) for count in counts)
    header = HEADER.pack(keys, occurrences, 8, part[HEADER.size - 1])
    return head.removesuffix(part) + header + text + wide + part[-occurrences * (1 + part[HEADER.size - 1]) :]


def test_no_memory_is_taken_for_what_a_head_says(indexed: Indexed) -> None:
    """As much as there is of it, whatever its counts add up to."""
    head = claim_much(indexed.vectors()["http://a.example/"].head)
    with pytest.raises(ValueError, match="a term vector is damaged"):
        select_terms([FetchedVector(head, {})], (), {LAYOUT.group(key) for key in KEYS})


@given(at=st.integers(0), octet=st.integers(0, 255))
@settings(max_examples=200, deadline=None)
def test_any_octets_are_read_or_refused(vectors: dict[str, TermVector], at: int, octet: int) -> None:
    """Nothing is read that lies outside, and memory is of the size of what was fetched."""
    head = bytearray(vectors["http://a.example/"].head)
    head[at % len(head)] = octet
    try:
        found = select_terms([FetchedVector(bytes(head), {})], (), {LAYOUT.group("host")})
    except ERRORS:
        return
    assert len(found.entries.terms) <= len(head)


def test_nothing_is_asked_for(indexed: Indexed) -> None:
    vectors = list(map(fetched, indexed.vectors().values()))
    assert select_terms(vectors, (), ()).keys == []
    assert len(select_terms([], {LAYOUT.key(BODY, "amber")}, ()).lengths) == 0
