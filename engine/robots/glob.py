"""Matches a rule's path as a shell pattern, which Conner's version 2.0 of 1996 asks for (requirement 190)."""

import re
from dataclasses import dataclass
from functools import cached_property

from engine.robots.pattern import Pattern, normal

_STARS = re.compile(r"\*+")
_RANGE = re.compile(r"(?<=[0-9A-Za-z])\\-(?=[0-9A-Za-z])")  # in escaped members of a set
_WILD = re.compile(r"(\?|\[[^\[\]]++\])")


@dataclass(frozen=True)
class Glob:
    """A rule's path in which `*` is any run of octets, `?` any one, `[a-f]` and `[!a-f]` one of some."""

    head: str  # what a path must start with
    value: str
    is_prefix = False

    @property
    def wildcards(self) -> int:
        """The number of wildcard runs that are looked for in a path; one, where all of it is compared."""
        return self.value.count("*") + 1

    @property
    def length(self) -> int:
        """The length in octets."""
        return len(normal(self.value))

    def matches(self, path: str) -> bool:
        """Tells whether the pattern is a normal path from end to end; no part gives back what it took."""
        return path.startswith(self.head) and bool(self._regex.match(path))

    @property
    def expression(self) -> str:
        """The same as a regular expression; no part gives back what it took."""
        first, *rest = (_translate(part) for part in _STARS.split(self.value))
        middle = "".join(f"(?>.*?{part})" for part in rest[:-1])
        return rf"{first}{middle}{'.*' + rest[-1] if rest else ''}\Z"

    @cached_property
    def _regex(self) -> re.Pattern[str]:
        """Made for the first path that has the head: most patterns of a file are never needed."""
        return re.compile(self.expression)


def parse_glob(value: str) -> Pattern | Glob:
    """Parses a rule's value; without a wildcard it is a prefix, as in version 1.0."""
    if first := _WILD.search(value):
        return Glob(normal(value[: first.start()].partition("*")[0]), value)
    if "*" not in value:
        return Pattern.literal(value)
    head, *middle, last = map(normal, value.split("*"))
    return Pattern(head, tuple(filter(None, middle)), last, False, len(value))


def _translate(part: str) -> str:
    """Translates a stretch without stars into a regular expression."""
    pieces = _WILD.split(part)
    pieces[::2] = [re.escape(normal(piece)) for piece in pieces[::2]]
    pieces[1::2] = ["." if piece == "?" else _translate_set(piece) for piece in pieces[1::2]]
    return "".join(pieces)


def _translate_set(piece: str) -> str:
    members = _RANGE.sub("-", re.escape(piece[1:-1]))
    try:
        return re.compile(f"[^{members[1:]}]" if members[0] == "!" else f"[{members}]").pattern
    except re.error:  # [z-a] and [!]: meant as written
        return re.escape(piece)
