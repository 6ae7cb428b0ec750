"""Measures how much of a section's name a query says: of its heading, or of the id that is a full name.

Who types a name wants the place of its own, not one that has it among others.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.index.snippets.matcher import QueryMatcher
from engine.index.snippets.occurrences import LAYOUT_ARRAYS, PLACE_ARRAYS, LayoutArrays, PlaceArrays
from engine.index.stored_pages import Numbers, PageLayout, StoredPage, find_named_sections
from engine.kernels import BOOL, I64, NONE, U32, Number, compiled, inlined, mutable, readonly, record_of
from engine.text.analysis import distinct_terms
from engine.text.tokens import (
    BEGINS,
    KNOWN,
    NUMBERS,
    WORD,
    Blocks,
    Known,
    Octets,
    decode_code_point,
    find_octet,
)

WHOLE = 1_000  # shares are whole numbers of thousandths

_BRACKETS = np.array([ord("("), ord("[")])


class SectionNames(NamedTuple):
    """Of each section the words that its name says, a bit for each, and how much of that these are, in
    thousandths of its letters.
    """

    words: Numbers
    shares: Numbers


SECTION_NAMES = record_of(SectionNames, words=mutable(I64), shares=mutable(I64))
"""SectionNames, for compiled functions."""


class NamedSection(NamedTuple):
    """A section whose id is a name in the query: what it says of that, a bit for each word and phrase, and
    how much of the id that is, in thousandths; 0 where it only goes on with one of this id.
    """

    section: int
    words: int
    share: int


def measure_headings(
    places: PlaceArrays, laid: PageLayout, sure: NDArray[np.bool_], matcher: QueryMatcher
) -> SectionNames:
    """Measures how much of each section's heading the words of the query are, in the form that was typed.

    What it has in brackets, as a function its parameters, is no part of a name. `sure`: as in
    Occurrences.confirm_places().
    """
    size, text = laid.sections.shape[1], laid.text
    names = SectionNames(np.zeros(size, np.int64), np.zeros(size, np.int64))
    page = LayoutArrays(text.array, laid.sections, laid.spans)
    _measure_headings(places, page, text.blocks, KNOWN, sure, matcher.sizes, names)
    return names


def match_ids(page: StoredPage, matcher: QueryMatcher) -> Iterator[NamedSection]:
    """Matches the ids of sections that are names in the query."""
    fragments = page.front.fragments
    for section, named in find_named_sections(fragments, page.ids, matcher.word_numbers, page.title_words):
        begins = fragments.index(fragments[section]) == section
        terms, says = distinct_terms(fragments[section], page.language), 0
        for number, needle in enumerate(matcher.needles):
            if number in named.numbers or needle.is_among(terms):
                says |= 1 << number
        for number, phrase in enumerate(matcher.phrases, len(matcher.needles)):
            if all(says >> word & 1 for word in phrase):
                says |= 1 << number
        yield NamedSection(section, says, named.share * begins)


@inlined
def _measure_name(
    octets: Octets, known: Known, blocks: Blocks, start: Number, end: Number
) -> tuple[Number, Number]:
    """Counts the letters of a heading before what it has in brackets, and where in the octets those end."""
    at, letters = find_octet(octets, blocks, start), np.int64(0)
    for _ in range(end - start):
        code, behind = decode_code_point(octets, at)
        if letters > 0 and (code == _BRACKETS[0] or code == _BRACKETS[1]):
            break
        letters += known[code] & WORD != 0
        at = behind
    return letters, at


@inlined
def _measure_word(octets: Octets, known: Known, start: Number, end: Number) -> tuple[Number, Number]:
    """Counts the letters from a place to where a word or the name ends, and where in the octets that is."""
    at, letters = start, np.int64(0)
    while at < end:
        code, behind = decode_code_point(octets, at)
        if not known[code] & WORD:
            break
        letters += 1
        at = behind
    return letters, at


@compiled(
    NONE(
        PLACE_ARRAYS,
        LAYOUT_ARRAYS,
        readonly(I64),
        readonly(U32),
        readonly(BOOL),
        readonly(I64),
        SECTION_NAMES,
    )
)
def _measure_headings(
    places: PlaceArrays,
    page: LayoutArrays,
    blocks: Blocks,
    known: Known,
    sure: NDArray[np.bool_],
    sizes: Numbers,
    names: SectionNames,
) -> None:
    """Fills names, which are 0, as measure_headings() says; sizes: as QueryMatcher has them."""
    (rough, where, readings), (octets, sections, _) = places, page
    under, letters, end, last, said = np.int64(-1), np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    for place in range(len(readings)):
        section = where[1, place]
        if section < 0 or readings[place] < 0 or not sure[readings[place]]:
            continue
        if section != under:
            under, last, said = section, np.int64(0), np.int64(0)
            letters, end = _measure_name(octets, known, blocks, sections[0, section], sections[1, section])
        begin = max(last, rough[BEGINS, place])
        if begin >= end:
            continue
        size = sizes[rough[NUMBERS, place]]
        more, behind = _measure_word(octets, known, begin, end)
        if size == 0 or more == size:
            said, last = said + more, behind
            names.words[section] |= np.int64(1) << rough[NUMBERS, place]
            names.shares[section] = WHOLE * said // letters
