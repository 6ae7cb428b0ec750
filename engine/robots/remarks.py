"""Advises an owner what to mend in a robots.txt (requirements 140, 143, 156, 192)."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine.robots.groups import ANY, Group
from engine.robots.lines import MAX_ROBOTS_BYTES, decode_for_display, read_lines
from engine.robots.meaning import find_mistakes
from engine.robots.profiles import Profile

MAX_WARNINGS = 100  # more would not be read
_MARKUP = re.compile(r"\s*+<")
_BETWEEN_NAMES = re.compile(r"[ \t,]+")


class LineWarning(NamedTuple):
    """One thing to mend, and where."""

    line: int
    text: str


def find_warnings(text: str, cut: bool, groups: Sequence[Group], profile: Profile) -> tuple[LineWarning, ...]:
    """Finds the first MAX_WARNINGS, those about the file as a whole before those about its lines."""
    by_line = sorted(
        [*_line_warnings(text), *_group_warnings(groups, profile)], key=lambda remark: remark.line
    )
    return (*_file_warnings(text, cut), *by_line)[:MAX_WARNINGS]


def _file_warnings(text: str, cut: bool) -> Iterator[LineWarning]:
    if cut:
        last = text.count("\n")
        yield LineWarning(last, f"nothing below is read: the file has more than {MAX_ROBOTS_BYTES} octets")
    if _MARKUP.match(text):
        yield LineWarning(1, "a web page, and no robots.txt")
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        yield LineWarning(line, "NUL bytes: not a text, or UTF-16 without its byte order mark")


def _line_warnings(text: str) -> Iterator[LineWarning]:
    for line, field, value, slip in read_lines(text):
        if slip:
            yield LineWarning(line, slip)
        if field == "user-agent" and ANY in value:
            starred = [word for word in _BETWEEN_NAMES.split(value) if ANY in word and word != ANY]
            yield from (
                LineWarning(line, f"* has no meaning inside a name: {decode_for_display(word)}")
                for word in starred
            )
        if field == "sitemap" and "://" not in value:
            yield LineWarning(line, "a Sitemap needs a whole URL")  # C36


def _group_warnings(groups: Sequence[Group], profile: Profile) -> Iterator[LineWarning]:
    for group in groups:
        for said in group.lines:
            if group.names:
                yield from (LineWarning(said[0], complaint) for complaint in find_mistakes(said, profile))
            else:
                yield LineWarning(said[0], f"{said[1]} before any User-agent is ignored")
