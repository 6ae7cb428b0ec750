"""Canonicalises a URL: one spelling, its identity everywhere (requirements 27-36).

WHATWG parsing first, because browsers and so page authors live by it; then RFC 3986, section 6.2.2:
escapes of unreserved characters decoded, hexadecimal digits in upper case (C31). What the owner's server
alone can know (letter case, default pages, two names of one machine: requirements 30-32) is left alone.

The other functions take a canonical URL apart by plain string work.
"""

import re
from dataclasses import dataclass
from functools import cached_property

from ada_url import join_url, normalize_url

MAX_ROUNDS = 8  # passes over nested escapes such as %%37%45; deeper nesting is nobody's link
DEFAULT_PORTS = {"http": 80, "https": 443}  # RFC 9110, 4.2
UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")  # RFC 3986, 2.3
_AFTER_SCHEME = len("https://")  # a host has a character at least, so http:// is safe with it as well


@dataclass(frozen=True)
class Spelling:
    """One way to write escapes: upper case, and none for the `plain` characters."""

    plain: frozenset[str]

    def normalize(self, text: str) -> tuple[str, int]:
        """Normalizes the escapes of a text; returns it, and how many had to change."""
        return self._misspelled.subn(lambda match: self._normalize_escape(match[0]), text)

    @cached_property
    def _misspelled(self) -> re.Pattern[str]:
        """Compiles a pattern of the escapes that change: most are right already, and cost nothing."""
        digits = "0123456789ABCDEFabcdef"
        seconds = {
            a: "".join(b for b in digits if self._normalize_escape(f"%{a}{b}") != f"%{a}{b}") for a in digits
        }
        return re.compile("%(?:" + "|".join(f"{first}[{second}]" for first, second in seconds.items()) + ")")

    def _normalize_escape(self, escape: str) -> str:
        character = chr(int(escape[1:], 16))
        return character if character in self.plain else escape.upper()


_CANONICAL = Spelling(UNRESERVED)


def canonicalize(raw: str, base: str | None = None) -> str:
    """Canonicalizes a URL from a page, a file or a person, resolved against `base`.

    Raises ValueError for what is no http(s) URL, and for one that carries a user name or password.
    """
    url = normalize_url(raw) if base is None else join_url(base, raw)
    if not url.startswith(("http://", "https://")):
        raise ValueError("no http(s) URL")
    url = url.partition("#")[0]
    if "@" in url and "@" in host_of(url):
        raise ValueError("a URL with user name or password")
    return _respell(url) if "%" in url else url


def _respell(url: str) -> str:
    respelled = url
    for _ in range(MAX_ROUNDS):
        respelled, changes = _CANONICAL.normalize(respelled)
        if not changes:
            # A dot that was escaped twice may only now be a dot segment.
            return normalize_url(respelled) if respelled != url and "/." in respelled else respelled
    raise ValueError("escapes nested too deeply")


def host_of(url: str) -> str:
    """Returns scheme, name and port of a canonical URL, `https://example.org`: the unit of politeness."""
    return url[: url.index("/", _AFTER_SCHEME)]


def authority_of(url: str) -> str:
    """Returns name and port of a canonical URL; the default port is never written."""
    return host_of(url).partition("//")[2]


def host_name(url: str) -> str:
    """Returns name or address of a canonical URL, without port; an IPv6 address keeps its brackets."""
    name, colon, port = authority_of(url).rpartition(":")
    return name if colon and port.isdigit() else authority_of(url)


def port_of(url: str) -> int:
    """Returns the port of a canonical URL, written or default."""
    port = authority_of(url).rpartition(":")[2]
    return int(port) if port.isdigit() else DEFAULT_PORTS[url.partition(":")[0]]
