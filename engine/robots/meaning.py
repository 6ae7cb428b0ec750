"""Interprets the lines of a robots.txt group, and names what cannot be read (requirements 160-193)."""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from engine.robots.glob import Glob
from engine.robots.groups import GroupLine
from engine.robots.lines import decode_for_display
from engine.robots.pattern import Pattern
from engine.robots.profiles import Profile
from engine.robots.timing import RequestRate, Window, read_delay

PATH_BEGINS = ("/", "*")
_BLANKS = re.compile(r"[ \t]+")
_SEARCH = re.compile(r"(?<![^\s,;])search[ \t]*+=[ \t]*+(yes|no)(?![^\s,;])", re.IGNORECASE)


class Rule(NamedTuple):
    """One Allow or Disallow line, or one of the paths on it (C7)."""

    allow: bool
    pattern: Pattern | Glob
    line: int
    value: str  # all that stands on the line, one character an octet

    @property
    def text(self) -> str:
        """The line for a person."""
        return decode_for_display(f"{'Allow' if self.allow else 'Disallow'}: {self.value}")


class SearchSignal(NamedTuple):
    """Content-Signal: whether what is here may be found by a search (contentsignals.org)."""

    is_allowed: bool

    @classmethod
    def parse(cls, text: str) -> "SearchSignal | None":
        """Parses what the line says of searching, None if nothing; of yes and no, no."""
        said = {word.lower() for word in _SEARCH.findall(text)}
        return cls("no" not in said) if said else None


Extension = float | RequestRate | Window | SearchSignal  # a number is a Crawl-delay, in seconds

# How a wish is read, and what is said of one that cannot be.
_WISHES: dict[str, tuple[Callable[[str], Extension | None], str]] = {
    "crawl-delay": (read_delay, "no number of seconds"),
    "request-rate": (RequestRate.parse, "no rate"),
    "visit-time": (Window.parse, "no hours"),
    "content-signal": (SearchSignal.parse, ""),
}


def parse_rules(said: GroupLine, profile: Profile) -> list[Rule]:
    """Parses the rules on an Allow or Disallow line; an empty value is none (C13)."""
    line, field, value, _ = said
    allow = field == "allow"
    if value[:1] == "/" and " " not in value and "\t" not in value:  # as nearly all are
        return [Rule(allow, profile.pattern(value), line, value)]
    if not value:
        return [Rule(True, profile.pattern(""), line, "")] if profile.empty_allows and not allow else []
    if allow:  # C40: in doubt the owner wants less to be fetched
        return [Rule(True, profile.pattern(value), line, value)] if value[0] in PATH_BEGINS else []
    paths = [path if path[0] in PATH_BEGINS else "/" + path for path in _split_paths(value, profile)]
    return [Rule(False, profile.pattern(path), line, value) for path in paths]


def parse_extension(said: GroupLine) -> Extension | None:
    """Parses a line other than a rule, None for one that means nothing."""
    _, field, value, _ = said
    return _WISHES[field][0](value) if field in _WISHES else None


def find_mistakes(said: GroupLine, profile: Profile) -> Iterator[str]:
    """Finds what an owner may want to mend in a line of a group."""
    _, field, value, _ = said
    if field in profile.rules:
        paths = [value] if field == "allow" else _split_paths(value, profile)
        if len(paths) > 1:
            yield "several paths on one line"
        yield from (
            f"a path starts with /: {decode_for_display(path)}"
            for path in paths
            if path[:1] not in PATH_BEGINS
        )
    elif field in _WISHES and _WISHES[field][1] and parse_extension(said) is None:
        yield f"{_WISHES[field][1]}: {decode_for_display(value)}"


def _split_paths(value: str, profile: Profile) -> list[str]:
    """Splits a Disallow line's paths (C7): several where each begins as one does, else one with blanks."""
    paths = _BLANKS.split(value) if profile.several_on_a_line else [value]
    return paths if all(path[:1] in PATH_BEGINS for path in paths) else [value]
