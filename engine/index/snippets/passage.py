"""Picks the passage of a page that answers a query best, and the heading above it.

A passage is as good as it covers the query's words, rare ones more than those that stand all over the page;
then as its heading says them, and as they stand near each other. What a query wants side by side comes before
all. Words of a heading count for every passage under it, and once more the more of it they are, however often
they stand elsewhere: a section that is called what was typed comes before those that speak of it.
"""

from math import log
from typing import NamedTuple

import numpy as np

from engine.index.snippets.match_positions import MatchPositions
from engine.index.snippets.matcher import QueryMatcher
from engine.index.snippets.names import SECTION_NAMES, WHOLE, SectionNames
from engine.index.stored_pages import Numbers
from engine.kernels import I64, NONE, Number, compiled, inlined, mutable, readonly

LENGTH = 240  # characters: two to three lines on a result page
REACH = 180  # characters from the first word to the last: what stands before them is shown as well

_UNIT = 1_000  # weights and scores are whole numbers of thousandths
_ALIKE = 0.05  # of what the best section covers: so much less is as much
_OF_TITLE = 4  # times that a word of the title tells less of a place: the whole page is about it
_OF_STOPWORD = 4  # times that a stop word tells less
_SQUARE = WHOLE * WHOLE
_NOTHING = np.zeros(0, np.int64)
_NEAR = 20  # characters between two words at which their nearness counts half


class Passage(NamedTuple):
    """A stretch of the body in which the words stand, and its section; -1: nothing of the query is there."""

    start: int
    end: int
    section: int
    spread: bool  # other sections say as much of the query, and other words of it


NOWHERE = Passage(0, 0, -1, False)


def find_passage(found: MatchPositions, matcher: QueryMatcher, size: int) -> Passage:
    """Finds the best passage in a body of so many characters."""
    if not found.columns.size:
        return NOWHERE
    weights, of_names = _weigh_words(found, matcher, size), _weigh_names(found, matcher, size)
    best, covers = np.empty(5, np.int64), np.zeros(len(found.headed), np.int64)
    _find_best(found.columns, found.headed, found.names, of_names, np.array(weights, np.int64), best, covers)
    start, end, section, covered, other = best.tolist()
    spread = 2 * covered <= sum(weights) and covered - other <= _ALIKE * covered
    return Passage(start, end, section, spread)


def _weigh_words(found: MatchPositions, matcher: QueryMatcher, size: int) -> list[int]:
    """Weighs each word and phrase by how much it tells of a place; 0 where it stands nowhere, and for
    nothing.
    """
    words = len(matcher.needles)
    of_each = np.zeros(words + len(matcher.phrases) + 1, np.int64)
    _count_matches(found.columns, found.headed, words, of_each)
    counts = of_each.tolist()
    weights = [int(_UNIT * log(1 + (size / LENGTH + 1) / count)) if count else 0 for count in counts[:words]]
    for number in found.titled:
        weights[number] //= _OF_TITLE
    for number in found.stopwords:
        weights[number] //= _OF_STOPWORD
    for phrase, count in zip(matcher.phrases, counts[words:], strict=False):
        weights.append(sum(weights[word] for word in phrase) if count else 0)
    return [*weights, 0]


def _weigh_names(found: MatchPositions, matcher: QueryMatcher, size: int) -> Numbers:
    """Weighs each word of a name as one that stands nowhere else; nothing of it is a phrase."""
    if not np.count_nonzero(found.names.shares):
        return _NOTHING
    rare = int(_UNIT * log(2 + size / LENGTH))
    weights = [rare // _OF_TITLE if one in found.titled else rare for one in range(len(matcher.needles))]
    for number in found.stopwords:
        weights[number] //= _OF_STOPWORD
    return np.array(weights, np.int64)


@compiled(NONE(readonly(I64, 2), readonly(I64), I64, mutable(I64)))
def _count_matches(columns: Numbers, headed: Numbers, words: Number, counts: Numbers) -> None:
    """Adds to `counts` of each number its places, and of the `words` first the headings that say it."""
    for place in range(columns.shape[1]):
        counts[columns[2, place]] += 1
    for section in range(len(headed)):
        for number in range(words if headed[section] else 0):
            counts[number] += headed[section] >> number & 1


@inlined
def _proximity_gain(columns: Numbers, weights: Numbers, one: Number, other: Number) -> Number:
    """Computes what two words gain by standing near each other: half of the lesser's weight when
    _NEAR apart.
    """
    lesser = min(weights[columns[2, one]], weights[columns[2, other]])
    if columns[2, one] == columns[2, other]:
        return np.int64(0)
    return lesser * _NEAR // (_NEAR + columns[0, other] - columns[0, one])


@inlined
def _name_bonus(names: SectionNames, section: Number, of_names: Numbers) -> Number:
    """Computes what a section gains by its name: all of what its words weigh, if all of it was typed."""
    bonus = np.int64(0)
    if names.shares[section] > 0:
        for number in range(len(of_names)):
            bonus += of_names[number] * (names.words[section] >> number & 1)
    return bonus * names.shares[section] * names.shares[section] // _SQUARE


@inlined
def _most_elsewhere(covers: Numbers, section: Number) -> Number:
    """Returns the most that a passage of another section covers."""
    most = np.int64(0)
    for other in range(len(covers)):
        if other != section:
            most = max(most, covers[other])
    return most


@compiled(
    NONE(
        readonly(I64, 2),
        readonly(I64),
        SECTION_NAMES,
        readonly(I64),
        readonly(I64),
        mutable(I64),
        mutable(I64),
    )
)
def _find_best(
    columns: Numbers,
    headed: Numbers,
    names: SectionNames,
    of_names: Numbers,
    weights: Numbers,
    best: Numbers,
    covers: Numbers,
) -> None:
    """Puts where the best passage begins and ends, its section, the weight it covers, and the most of any
    other section, into `best`.

    columns: starts, ends, numbers, sections, by section and start; headed: words of each heading, as bits;
    of_names: what each word weighs in a name.
    covers is filled with the most that a passage of each section covers.
    """
    size, stop, most = columns.shape[1], 0, np.int64(-1)
    inside = np.zeros(len(weights), np.int64)
    under, of_heading, covered, near = np.int64(-1), np.int64(0), np.int64(0), np.int64(0)
    best[3] = -1
    for first in range(size):
        section = columns[3, first]
        if section != under:
            under, of_heading, near, stop = section, np.int64(0), np.int64(0), first
            for number in range(len(weights)):
                of_heading += weights[number] * (headed[section] >> number & 1)
            covered = of_heading + _name_bonus(names, section, of_names)
        while stop < size and columns[3, stop] == section and columns[0, stop] < columns[0, first] + REACH:
            number = columns[2, stop]
            if inside[number] == 0 and not headed[section] >> number & 1:
                covered += weights[number]
            inside[number] += 1
            near += weights[number] // 8
            if stop > first:
                near += _proximity_gain(columns, weights, stop - 1, stop)
            stop += 1
        covers[section] = max(covers[section], covered)
        if covered > best[3] or (covered == best[3] and of_heading + near > most):
            best[0], best[1], best[2], best[3] = columns[0, first], columns[1, stop - 1], section, covered
            most = of_heading + near
        number = columns[2, first]
        inside[number] -= 1
        if inside[number] == 0 and not headed[section] >> number & 1:
            covered -= weights[number]
        near -= weights[number] // 8
        if first + 1 < stop:
            near -= _proximity_gain(columns, weights, first, first + 1)
    best[4] = _most_elsewhere(covers, best[2])
