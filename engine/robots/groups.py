"""Parses the groups of robots.txt: whom its lines address (RFC 9309, 2.2; requirements 132-135, 144-159)."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from engine.robots.lines import BLANK, read_lines
from engine.robots.profiles import Profile

ANY = "*"  # the name in a group for whoever is not named
# The start of every word, as far as it may stand in a product token (RFC 9309, 2.2.1), with digits (C9),
# or a * alone; words are parted by blanks and commas (C8).
_NAME = re.compile(r"(?:^|(?<=[ \t,]))(?:\*(?![^ \t,])|[A-Za-z0-9_-]+)")


# A line in a group: number, field, value, and to how many of the group's names it speaks: those above it.
# A plain tuple, because a file is mostly made of these.
GroupLine = tuple[int, str, str, int]


class Group(NamedTuple):
    """One record: names in lower case, each with its place, and what is said to them.

    Lines before any name are a group without names.
    """

    names: Mapping[str, int]
    lines: Sequence[GroupLine]


def read_groups(text: str, profile: Profile) -> tuple[Group, ...]:
    """Reads the groups of what `read_text` gives, in order.

    Only Allow and Disallow end the names of a group: no other line may interfere (RFC 9309, 2.2.4),
    a Crawl-delay no more than a Sitemap.
    """
    names: dict[str, int] = {}
    said: list[GroupLine] = []
    groups = [Group(names, said)]
    ended = True  # whether the next name begins a group
    for line, field, value, _ in read_lines(text):
        if field in ("user-agent", BLANK):
            if field == BLANK and not (names and profile.blank_line_ends_group):
                continue
            if ended or field == BLANK:
                names, said = {}, []
                groups.append(Group(names, said))
            ended = field == BLANK
            for name in read_names(value, profile):
                names.setdefault(name, len(names))
        elif field != "sitemap":
            said.append((line, field, value, len(names)))
            ended = ended or field in profile.rules
    return tuple(groups)


def read_names(value: str, profile: Profile) -> list[str]:
    """Reads the names on a User-agent line."""
    names: list[str] = _NAME.findall(value.lower())
    return names if profile.several_on_a_line else names[:1]
