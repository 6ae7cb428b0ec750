"""Finds sections whose id is the name of what they define, as manuals of programs have it.

What stands below asyncio.Queue as "get()" has the id asyncio.Queue.get, and often says the name nowhere.
"""

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from engine.index.stored_pages.page_layout import MAX_TERM
from engine.model import Section

MAX_PARTS = 8  # of a name; what comes before the last of them is one part

# What is no letter and no figure, as between the parts of a word that was typed.
_PARTING = re.compile(r"[\W_]+")
_BETWEEN_PARTS = re.compile(r"[^\w]+")
_LETTER = re.compile(r"\w")
_BUT_LINES = re.compile(r"(?:[^\w\n]|_)+")
_SIGNS = bytes(code for code in range(128) if not chr(code).isalnum() and chr(code) != "\n")


def strip_lines(fragments: Sequence[str]) -> str:
    """Strips ids to letters and figures, a line for each: what ends none of the lines is no name of any."""
    lines = "\n".join((*fragments, ""))
    if lines.count("\n") > len(fragments):  # an id may be anything
        lines = "\n".join((*(one.replace("\n", " ") for one in fragments), ""))
    if lines.isascii():  # twenty times as fast
        return lines.encode("ascii").lower().translate(None, _SIGNS).decode("ascii")
    return _BUT_LINES.sub("", lines.casefold())


class NamedId(NamedTuple):
    """The numbers of what was typed of an id, and how much of it was typed or is in the title of its page, in
    thousandths of its letters.
    """

    numbers: frozenset[int]
    share: int


def find_named_sections(
    fragments: Sequence[str], lines: str, word_numbers: Mapping[str, int], title: Container[str] = ()
) -> Iterator[tuple[int, NamedId]]:
    """Finds the sections whose ids are names that were typed, as match_id() has them.

    `lines` is as strip_lines() has it, `word_numbers` as in engine.index.snippets.matcher.
    """
    sections: set[int] = set()
    for name in word_numbers:
        section, before, at = 0, 0, lines.find(f"{name}\n")
        while at >= 0:
            section += lines.count("\n", before, at)
            sections.add(section)
            before, at = at, lines.find(f"{name}\n", at + 1)
    for section in sorted(sections):
        if (named := match_id(fragments[section], word_numbers, title)) is not None:
            yield section, named


def match_id(fragment: str, word_numbers: Mapping[str, int], title: Container[str] = ()) -> NamedId | None:
    """Matches an id whose last part was typed, or several of its last parts as one word.

    title: words of the title of its page, folded; they need not be typed.
    """
    parts = [_strip_name(part) for part in _BETWEEN_PARTS.split(fragment, MAX_PARTS)]
    size, ending = len(parts), ""
    for part in reversed(parts):
        ending = part + ending
        if ending in word_numbers:
            break
    else:
        return None
    typed, said = set[int](), {at for at, part in enumerate(parts) if part in title}
    for first in range(size):
        run = ""
        for at in range(first, size):
            run += parts[at]
            if (number := word_numbers.get(run)) is not None:
                typed.add(number)
                said.update(range(first, at + 1))
    return NamedId(frozenset(typed), 1_000 * sum(len(parts[at]) for at in said) // sum(map(len, parts)))


def match_name(fragment: str, word_numbers: Mapping[str, int]) -> int | None:
    """Returns the number of what was typed that is the id, or its end, of two parts or more; None where none
    is.
    """
    parts = fragment.rsplit(".", MAX_PARTS - 1)
    endings = (_strip_name("".join(parts[first:])) for first in range(len(parts) - 1))
    return next((word_numbers[name] for name in endings if name in word_numbers), None)


def list_definitions(sections: Iterable[Section]) -> Iterator[str]:
    """Yields the ids of sections that begin with what they define, and have its full name for an id."""
    for section in sections:
        if not section.heading and _is_called(section.text[:MAX_TERM].partition("\n")[0], section.fragment):
            yield section.fragment


def choose_name(heading: str, fragment: str) -> str:
    """Names what a section is about: its id, where that is the full name of what its heading calls by its
    last.
    """
    return fragment if _is_called(heading, fragment) else heading


def _is_called(line: str, name: str) -> bool:
    """Tells whether a line calls what has the full name by its last part.

    What has a word and a hyphen before it, as Sphinx names modules, is no name to show.
    """
    parents, _, last = name.rpartition(".")
    if not (parents and last) or "-" in parents:
        return False
    at = line.find(last)
    while at >= 0 and (_LETTER.match(line[at - 1 : at]) or _LETTER.match(line, at + len(last))):
        at = line.find(last, at + 1)
    return at >= 0


def _strip_name(name: str) -> str:
    folded = name.casefold()
    return folded if folded.isalnum() else _PARTING.sub("", folded)
