"""Parses a site as people write it: a name with all hosts below it, one host, or URLs that begin so."""

import re
from contextlib import suppress
from typing import NamedTuple, Self

from engine.url.canonical import authority_of, canonicalize, host_name, host_of

_HOST = r"(?:\[[0-9A-Fa-f:.]+\]|[^/?#.:@*\s\[][^/?#:@*\s]*+)(?::\d+)?"
_SITE = re.compile(rf"(?:(https?)://)?(?:\*?\.)?({_HOST}(?:/.*)?)", re.IGNORECASE | re.ASCII)


class SitePattern(NamedTuple):
    """A site; `scheme` is '' where none was written, `path` '/' where a whole host is meant."""

    scheme: str
    authority: str
    path: str

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """Parses `example.org`, `https://docs.example.org`, `example.org/manual`; None for anything else."""
        found = _SITE.fullmatch(text)
        if found is None:
            return None
        with suppress(ValueError):
            scheme, rest = found.groups()
            url = canonicalize(f"{scheme or 'http'}://{rest}")
            return cls(scheme.lower() if scheme else "", authority_of(url), url[len(host_of(url)) :])
        return None

    @property
    def schemes(self) -> tuple[str, ...]:
        """The schemes of its URLs."""
        return (self.scheme,) if self.scheme else ("http", "https")

    def matches(self, url: str) -> bool:
        """Tells whether a canonical URL is in the site: below the name, on the host, or beginning so."""
        if self.scheme or self.path != "/":
            return url.startswith(tuple(f"{one}://{self.authority}{self.path}" for one in self.schemes))
        name = host_name(url)
        return self.authority in (name, authority_of(url)) or name.endswith(f".{self.authority}")
