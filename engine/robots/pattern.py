"""Matches a URL's path against the path of a rule (RFC 9309, 2.2.2 and 2.2.3).

Text from a robots.txt is kept as one character an octet (Latin-1), so that lengths are octets and a file
in a broken encoding still compares as the owner wrote it.
"""

import re
from typing import NamedTuple

from engine.url import UNRESERVED, Spelling

# An escape of one of these and the character itself are one (C18): `%2A` in a rule is a literal `*`, and what
# is neither reserved nor unreserved is written both ways. Reserved characters differ from their escapes.
_COMPARED = Spelling(UNRESERVED | frozenset('*$"<>\\^`{|}'))
_NEVER_PLAIN = re.compile("[^!-~]")
_PLAIN = re.compile(r'[!"#&-)+-~]*+').fullmatch  # neither wildcards nor anything with two spellings
_USUAL = re.compile(r'https?://[^/?#]++(/[!"$-~]*+)').fullmatch  # how nearly all URLs are written
_ORIGIN = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*+:)?//[^/?]*+")


class Pattern(NamedTuple):
    """A rule's path, taken apart at its wildcards; `length` is in octets."""

    head: str  # what a path must start with
    middle: tuple[str, ...]  # what must follow, in this order, wherever it is found
    last: str  # what the path must end with
    exact: bool  # nothing may follow the head: `$` without a `*`
    length: int

    @classmethod
    def parse(cls, value: str) -> "Pattern":
        """Parses a rule's value; `*` is any run of octets, `$` at the end is the end."""
        if _PLAIN(value):
            return cls(value, (), "", False, len(value))
        anchored = value.endswith("$")
        head, *rest = (normal(part) for part in value.removesuffix("$").split("*"))
        last = rest.pop() if anchored and rest else ""
        return cls(
            head=head,
            middle=tuple(filter(None, rest)),
            last=last,
            exact=anchored and "*" not in value,
            length=len(head) + len(last) + sum(map(len, rest)) + value.count("*") + anchored,
        )

    @classmethod
    def literal(cls, value: str) -> "Pattern":
        """Builds the pattern of a rule's value in which no character is a wildcard (C6)."""
        head = normal(value)
        return cls(head, (), "", False, len(head))

    @property
    def is_prefix(self) -> bool:
        """Tells whether every path that starts with the head matches."""
        return not (self.middle or self.last or self.exact)

    @property
    def wildcards(self) -> int:
        """The number of runs of any octets that are looked for in a path."""
        return len(self.middle) + bool(self.last)

    @property
    def expression(self) -> str:
        """The same as a regular expression, in which no part gives back what it took."""
        middle = "".join(f"(?>.*?{re.escape(part)})" for part in self.middle)
        last = f".*{re.escape(self.last)}" if self.last else ""
        return re.escape(self.head) + middle + last + (r"\Z" if self.exact or last else "")

    def matches(self, path: str) -> bool:
        """Tells whether a normal path falls under this pattern, in time linear in the path for any pattern.

        The first place where a part is found leaves the most room for the next: there is no way back.
        """
        if not path.startswith(self.head):
            return False
        at = len(self.head)
        for part in self.middle:
            at = path.find(part, at) + len(part)
            if at < len(part):  # not found
                return False
        return at == len(path) if self.exact else path.endswith(self.last, at)


def normal(octets: str) -> str:
    """Normalizes equal octets to one spelling: escapes as in RFC 9309, 2.2.2, one character an octet."""
    escaped = _NEVER_PLAIN.sub(lambda match: f"%{ord(match[0]):02X}", octets)
    return _COMPARED.normalize(escaped)[0] if "%" in escaped else escaped


def path_of(url: str) -> str:
    """Returns path and query of a URL, `/` at least, in the spelling that patterns compare with.

    What has neither scheme nor `//` before it is a path already.
    """
    if usual := _USUAL(url):
        path: str = usual[1]
        return _COMPARED.normalize(path)[0] if "%" in path else path
    path = url.partition("#")[0]
    if origin := _ORIGIN.match(path):
        path = path[origin.end() :]
    octets = path.encode("utf-8", "replace").decode("latin-1")
    return normal(octets if octets.startswith("/") else "/" + octets)
