"""A page apart from its host's template: lines of its own, and lines that other pages say as well."""

from array import array
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from hashlib import blake2b
from itertools import chain, compress, count
from typing import NamedTuple

from engine.page import Page

MAX_BLOCKS = 512  # of a page, half from its beginning and half from its end; templates stand around a text
_SIZE = 8  # bytes of a block's number: a line in 10**16 has that of another block and weighs too little


class Repeated(NamedTuple):
    """What of a page its host repeats: lines, counted from 0 over all its sections, and headings."""

    lines: tuple[int, ...] = ()
    headings: frozenset[str] = frozenset()


NOTHING = Repeated()


def blocks(page: Page) -> dict[str, int]:
    """The lines and headings of a page, each with a number that is the same on every page.

    A heading is another block than a line of the same words: what is a word of the menu on all
    pages is the heading of the page that is about it.
    """
    texts = list(dict.fromkeys(chain.from_iterable(_texts(page))))
    if len(texts) > MAX_BLOCKS:
        texts = texts[: MAX_BLOCKS // 2] + texts[-MAX_BLOCKS // 2 :]
    digests = [blake2b(text.encode(), digest_size=_SIZE).digest() for text in texts]
    return dict(zip(texts, array("q", b"".join(digests)), strict=True))


def repeated(page: Page, numbers: Mapping[str, int], template: Set[int]) -> Repeated:
    """What of the page, whose blocks are given, is in the template; nothing where nothing else is left."""
    if not template:
        return NOTHING
    known = {text for text, number in numbers.items() if number in template}
    if not known:
        return NOTHING
    if known.issuperset(chain.from_iterable(_texts(page))):
        return NOTHING
    texts = chain.from_iterable(section.text.split("\n") for section in page.sections)
    lines = tuple(compress(count(), map(known.__contains__, texts)))
    return Repeated(lines, frozenset(text[1:] for text in known if text[0] == _HEADING))


def own(page: Page, lines: Sequence[int]) -> Page:
    """The page with these of its lines, ascending, moved from the sections to the rest."""
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


_HEADING = "\n"  # before the words of a heading; no line holds one


def _texts(page: Page) -> Iterator[list[str]]:
    for section in page.sections:
        if section.heading:
            yield [_HEADING + section.heading]
        if section.text:
            yield section.text.split("\n")
