"""Separates a page's own lines, and words of its title, from those that its host's template repeats."""

import re
from bisect import bisect_left
from collections.abc import Sequence, Set
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.kernels import BOOL, I64, NONE, U8, Number, compiled, inlined, mutable, readonly
from engine.model import Page

MAX_BLOCKS = 512  # of a page, half from its beginning and half from its end; templates stand around a text
EMPTY = 0  # the number of a line or heading without a character, which is no block
MAX_TITLE_WORDS = 32  # of a page, the first ones that differ; a title that has more is a sentence
_LINE, _WORD, _HEADING = range(
    0x0A, 0x0D
)  # octets before a line, before a word of the title, before a heading
_BEFORE_LINE, _BEFORE_WORD, _BEFORE_HEADING = map(chr, (_LINE, _WORD, _HEADING))

# Between words of a title: blanks, and signs of ASCII, Latin-1 and East Asia; an accent may be of a letter.
_TITLE_WORD = re.compile(
    r"[^\s!-/:-@\[-`{-~\u00a0-\u00a9\u00ab-\u00b4\u00b6-\u00bf\u2010-\u205e\u3000-\u3004"
    r"\u3008-\u3020\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]+"
)


class PageBlocks(NamedTuple):
    """The lines and headings of a page and the words of its title, each with a number that is the same on
    every page.

    64 bits: a line in 10**16 has the number of another and weighs too little. A heading is another block
    than a line of the same words: what is a word of the menu on all pages is the heading of the page that is
    about it. So is a word of a title.
    """

    each: NDArray[np.int64]  # a section's heading, then its lines; EMPTY where there are no words
    headings: NDArray[np.bool_]  # which of them are headings
    title_words: dict[str, int]  # folded, MAX_TITLE_WORDS at most
    different: list[int]  # as they come, MAX_BLOCKS at most; then those of the title


class RepeatedBlocks(NamedTuple):
    """What of a page its host repeats: lines, counted from 0 over all its sections, headings, and words of
    the title, folded.
    """

    lines: tuple[int, ...] = ()
    headings: frozenset[str] = frozenset()
    title_words: frozenset[str] = frozenset()


NOTHING = RepeatedBlocks()


def number_blocks(page: Page) -> PageBlocks:
    """Numbers the blocks of a page."""
    parts: list[str] = []
    for section in page.sections:
        parts += (_BEFORE_HEADING, _clean_heading(section.heading), _BEFORE_LINE, _clean_lines(section.text))
    words = _split_title(page.title)
    parts += (_BEFORE_WORD + word for word in words)
    octets = "".join(parts).encode(errors="surrogatepass")
    size = octets.count(_HEADING) + octets.count(_LINE)
    each, headings = np.empty(size + len(words), np.int64), np.empty(size + len(words), np.bool_)
    _hash_blocks(np.frombuffer(octets, np.uint8), each, headings)
    each, of_title = each[:size], each[size:].tolist()
    different = list(dict.fromkeys(each[each != EMPTY].tolist()))
    if len(different) > MAX_BLOCKS:
        different = different[: MAX_BLOCKS // 2] + different[-MAX_BLOCKS // 2 :]
    return PageBlocks(each, headings[:size], dict(zip(words, of_title, strict=True)), different + of_title)


def find_repeated(page: Page, found: PageBlocks, template: Set[int]) -> RepeatedBlocks:
    """Finds what of the page, whose blocks these are, is in the template; no lines and headings where nothing
    else is left.
    """
    known = template & set(found.different) if template else template
    if not known:
        return NOTHING
    words = frozenset(word for word, number in found.title_words.items() if number in known)
    is_known = np.fromiter(map(known.__contains__, found.each.tolist()), np.bool_, len(found.each))
    if not is_known.any() or np.all(is_known | (found.each == EMPTY)):
        return RepeatedBlocks(title_words=words)
    lines = np.flatnonzero(is_known[~found.headings])
    headings = zip(page.sections, is_known[found.headings].tolist(), strict=True)
    return RepeatedBlocks(
        tuple(lines.tolist()),
        frozenset(section.heading for section, is_repeated in headings if is_repeated),
        words,
    )


def strip_repeated_words(title: str, words: Set[str]) -> str:
    """Strips a title of these words, as "git" and "1" of git-status(1); it stays whole where it has no other.

    So a site's name, the number of a manual's section or "Chapter" are not what a page is about.
    """
    if not words:
        return title
    own = _TITLE_WORD.sub(lambda found: " " if found[0].casefold() in words else found[0], title)
    return own if _TITLE_WORD.search(own) else title


def move_repeated(page: Page, lines: Sequence[int]) -> Page:
    """Moves these lines of a page, ascending, from the sections to the rest."""
    if not lines:
        return page
    moved, sections, first = [page.rest] if page.rest else [], [], 0
    for section in page.sections:
        end = first + section.text.count("\n") + 1
        taken = frozenset(lines[bisect_left(lines, first) : bisect_left(lines, end)])
        if taken:
            kept: list[str] = []
            for number, line in enumerate(section.text.split("\n"), first):
                (moved if number in taken else kept).append(line)
            section = section._replace(text="\n".join(kept))
        sections.append(section)
        first = end
    return replace(page, sections=tuple(sections), rest="\n".join(moved))


def _split_title(title: str) -> list[str]:
    """Splits a title into its first words, folded, each once."""
    words = (found[0].casefold() for found in _TITLE_WORD.finditer(title))
    return list(islice(dict.fromkeys(words), MAX_TITLE_WORDS))


def _clean_lines(text: str) -> str:
    """Cleans lines: as many, and none that looks like a heading or a word of a title."""
    return text.replace(_BEFORE_WORD, " ").replace(_BEFORE_HEADING, " ")  # translate() takes 20 times as long


def _clean_heading(heading: str) -> str:
    return _clean_lines(heading).replace(_BEFORE_LINE, " ")


@inlined
def _mix(hashed: Number) -> Number:
    """Mixes a number: all its bits have a part in each bit (Stafford's mix 13)."""
    hashed = (hashed ^ (hashed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    hashed = (hashed ^ (hashed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.int64(hashed ^ (hashed >> np.uint64(31)))


@compiled(NONE(readonly(U8), mutable(I64), mutable(BOOL)))
def _hash_blocks(octets: NDArray[np.uint8], each: NDArray[np.int64], headings: NDArray[np.bool_]) -> None:
    """Hashes each block: FNV-1a of its octets and the one before them, mixed."""
    begin = 0
    for block in range(len(each)):
        headings[block] = octets[begin] == _HEADING
        hashed, at = np.uint64(0xCBF29CE484222325), begin
        while at == begin or (at < len(octets) and not _LINE <= octets[at] <= _HEADING):
            hashed = (hashed ^ np.uint64(octets[at])) * np.uint64(0x100000001B3)
            at += 1
        each[block] = _mix(hashed) if at > begin + 1 else EMPTY
        begin = at
