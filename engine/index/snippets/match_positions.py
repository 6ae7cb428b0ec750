"""Locates matches on a page: in its body, side by side, and in its headings."""

from typing import NamedTuple

import numpy as np

from engine.index.snippets.adjacency import find_phrases
from engine.index.snippets.matcher import QueryMatcher
from engine.index.snippets.names import SectionNames, match_ids, measure_headings
from engine.index.snippets.occurrences import Occurrences
from engine.index.stored_pages import MAX_TEXT, Numbers, PageLayout, StoredPage
from engine.kernels import I64, Number, compiled, mutable, readonly
from engine.text.tokens import find_places


class MatchPositions(NamedTuple):
    """Of each word where in the body it begins and ends, its number and its section; in this order.

    Phrases have the numbers behind the words. The number behind these is nobody's: it stands where a section
    begins whose heading has a word, since a passage may begin there without any.
    """

    columns: Numbers
    headed: Numbers  # words of each section's heading, or of the name that its id is, a bit for each
    names: SectionNames
    titled: frozenset[int]  # words of the title
    stopwords: frozenset[int]  # words that tell nothing


def find_matches(page: StoredPage, laid: PageLayout, matcher: QueryMatcher) -> MatchPositions:
    """Finds all matches on a page, but for what its host repeats and what lies behind MAX_TEXT."""
    placed = Occurrences(find_places(laid.text, matcher.rough, MAX_TEXT), laid, matcher.next_letters)
    headed = np.zeros(laid.sections.shape[1], np.int64)
    sure = np.array(matcher.confirm(placed.list_readings(), page.language), np.bool_)
    columns, begins = placed.confirm_places(sure, headed)
    names = measure_headings(placed.arrays, laid, sure, matcher)
    for section, words, share in match_ids(page, matcher):
        if section < len(headed):
            headed[section] |= words
            names.words[section] |= words
            names.shares[section] = max(names.shares[section], share)
    names.shares[: page.first_section + 1] = 0  # their name is that of the page
    found = [*find_phrases(laid.text.array, columns, begins, matcher.phrases, len(matcher.needles))]
    if any(one.size for one in found):
        columns = np.concatenate([columns, *found], axis=1)
        columns = np.ascontiguousarray(columns[:, np.lexsort((columns[0], columns[3]))])
    columns = _add_openings(columns, headed, laid, len(matcher.needles) + len(matcher.phrases))
    titled = frozenset(
        number for number, needle in enumerate(matcher.needles) if needle.is_among(page.title_terms)
    )
    return MatchPositions(columns, headed, names, titled, matcher.find_stopwords(page.language))


def _add_openings(columns: Numbers, headed: Numbers, laid: PageLayout, number: int) -> Numbers:
    """Adds, with this number, the beginnings of sections whose headings have a word to the columns."""
    if not (count := np.count_nonzero(headed)):
        return columns
    found = np.empty((4, columns.shape[1] + count), np.int64)
    size = _merge_openings(columns, headed, laid.spans, number, found)
    return found if size == found.shape[1] else np.ascontiguousarray(found[:, :size])


@compiled(I64(readonly(I64, 2), readonly(I64), readonly(I64, 2), I64, mutable(I64, 2)))
def _merge_openings(
    columns: Numbers, headed: Numbers, spans: Numbers, number: Number, found: Numbers
) -> Number:
    """Fills `found` with the columns and the openings, by section and start; returns how many there are."""
    size, place, span = np.int64(0), 0, 0
    for section in range(len(headed)):
        if headed[section] == 0:
            continue
        while span < spans.shape[1] and spans[2, span] < section:
            span += 1
        if span == spans.shape[1]:
            break
        at = spans[3, span]
        while place < columns.shape[1] and (
            columns[3, place] < section or (columns[3, place] == section and columns[0, place] <= at)
        ):
            for row in range(4):
                found[row, size] = columns[row, place]
            size, place = size + 1, place + 1
        found[0, size], found[1, size], found[2, size], found[3, size] = at, at, number, section
        size += 1
    while place < columns.shape[1]:
        for row in range(4):
            found[row, size] = columns[row, place]
        size, place = size + 1, place + 1
    return size
