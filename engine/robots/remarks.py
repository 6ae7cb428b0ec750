"""Advises an owner what to mend in a robots.txt (requirements 140, 143, 156, 192)."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine.robots.groups import ANY, Group
from engine.robots.lines import MAX_ROBOTS_BYTES, as_text, read_lines
from engine.robots.meaning import complaints_of
from engine.robots.profiles import Profile

MAX_WARNINGS = 100  # more would not be read
_MARKUP = re.compile(r"\s*+<")
_BETWEEN_NAMES = re.compile(r"[ \t,]+")


class Remark(NamedTuple):
    """One thing to mend, and where."""

    line: int
    text: str


def remarks(text: str, cut: bool, groups: Sequence[Group], profile: Profile) -> tuple[Remark, ...]:
    """The first MAX_WARNINGS, those about the file as a whole before those about its lines."""
    by_line = sorted([*_of_lines(text), *_of_groups(groups, profile)], key=lambda remark: remark.line)
    return (*_of_file(text, cut), *by_line)[:MAX_WARNINGS]


def _of_file(text: str, cut: bool) -> Iterator[Remark]:
    if cut:
        last = text.count("\n")
        yield Remark(last, f"nothing below is read: the file has more than {MAX_ROBOTS_BYTES} octets")
    if _MARKUP.match(text):
        yield Remark(1, "a web page, and no robots.txt")
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        yield Remark(line, "NUL octets: no text, or UTF-16 without its byte order mark")


def _of_lines(text: str) -> Iterator[Remark]:
    for line, field, value, slip in read_lines(text):
        if slip:
            yield Remark(line, slip)
        if field == "user-agent" and ANY in value:
            starred = [word for word in _BETWEEN_NAMES.split(value) if ANY in word and word != ANY]
            yield from (Remark(line, f"* has no meaning inside a name: {as_text(word)}") for word in starred)
        if field == "sitemap" and "://" not in value:
            yield Remark(line, "a Sitemap needs a whole URL")  # C36


def _of_groups(groups: Sequence[Group], profile: Profile) -> Iterator[Remark]:
    for group in groups:
        for said in group.said:
            if group.names:
                yield from (Remark(said[0], complaint) for complaint in complaints_of(said, profile))
            else:
                yield Remark(said[0], f"{said[1]} before any User-agent is ignored")
