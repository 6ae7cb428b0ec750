"""Defines the query operators, one row each.

From it follow what the lexer takes for an operator, how the parser reads its value, what a note says of a
malformed one, the help of the search page and of `scrapy search`, and the API's description.
docs/query-syntax.md is tested against it.

Every key is a posting list of its own, so a filter costs one list or, for dates and paths, a range of lists,
whatever the size of the index; a domain is a key of every host below it.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date
from typing import NamedTuple

from engine.formats import FILETYPES, FORMATS
from engine.model import Message
from engine.url import SitePattern, canonicalize

_LAST = "\U0010ffff"  # behind every character of a URL
_FIRST_DAY, _LAST_DAY = "", "9999-12-31"
_TYPES = {name: one.name for one in FORMATS for name in (one.name, *one.other_names)}
_LANGUAGE = re.compile(r"([A-Za-z]{2,3})(?:[-_][A-Za-z0-9]{2,8})*")  # the primary subtag: RFC 5646, 2.2.1
_DATE = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?", re.ASCII)


class KeyRange(NamedTuple):
    """The keys of a field (schema.KEYS) from the first to the last, these included."""

    field: str
    first: str
    last: str


ParseKeys = Callable[[str], Sequence[KeyRange]]
"""Parses a value into keys of which a document has one, () where it is malformed."""


class TextFilter(NamedTuple):
    """The value is words of one text (schema.TEXT_FIELDS)."""

    text: str


class KeyFilter(NamedTuple):
    """The value means keys of the index."""

    parse: ParseKeys


class LinkFilter(NamedTuple):
    """The value means URLs, () where it is malformed, whose numbers in the link graph are keys of a field."""

    field: str
    parse: Callable[[str], Sequence[str]]


class Malformed(NamedTuple):
    """The note for a malformed value: a word for programs and a sentence for people."""

    kind: str
    sentence: Message


class Operator(NamedTuple):
    """One operator: `word:value`. The examples say what is found by each."""

    word: str
    value: TextFilter | KeyFilter | LinkFilter
    malformed: Malformed
    examples: tuple[tuple[str, Message], ...] = ()


def parse_links(value: str) -> Sequence[str]:
    """Parses the target of a link into canonical URLs; without a scheme both, () for none."""
    typed = (value,) if "://" in value else (f"https://{value}", f"http://{value}")
    with suppress(ValueError):
        return tuple(map(canonicalize, typed)) if value else ()
    return ()


def parse_site(value: str) -> Sequence[KeyRange]:
    """Parses a name into all hosts below it; with a scheme that host alone; with a path the URLs
    that begin so.
    """
    pattern = SitePattern.parse(value)
    return tuple(_site_keys(pattern)) if pattern else ()


def _site_keys(pattern: SitePattern) -> Iterator[KeyRange]:
    scheme, authority, path = pattern
    if path == "/":
        yield _key("host", f"{scheme}://{authority}") if scheme else _key("site", authority)
        return
    for one in pattern.schemes:
        beginning = f"{one}://{authority}{path}"
        yield KeyRange("url", beginning, beginning + _LAST)


def _key(field: str, key: str) -> KeyRange:
    return KeyRange(field, key, key)


def parse_host(value: str) -> Sequence[KeyRange]:
    """Parses one host, with http and https, and none below it."""
    sites = (keys.first for keys in parse_site(value) if keys.field == "site")
    return tuple(_key("host", f"{scheme}://{site}") for site in sites for scheme in ("http", "https"))


def parse_type(value: str) -> Sequence[KeyRange]:
    """Parses the name of a format."""
    name = _TYPES.get(value.lower().removeprefix("."))
    return (_key("type", name),) if name else ()


def parse_language(value: str) -> Sequence[KeyRange]:
    """Parses the code of a language; what follows a hyphen is not looked at."""
    found = _LANGUAGE.fullmatch(value)
    return (_key("language", found[1].lower()),) if found else ()


def parse_before(value: str) -> Sequence[KeyRange]:
    """Parses a year, a month or a day into the days before it begins."""
    with suppress(ValueError, OverflowError):
        last = date.fromordinal(_parse_first_day(value).toordinal() - 1)
        return (KeyRange("day", _FIRST_DAY, last.isoformat()),)
    return ()


def parse_after(value: str) -> Sequence[KeyRange]:
    """Parses a year, a month or a day into the days from its first on."""
    with suppress(ValueError):
        return (KeyRange("day", _parse_first_day(value).isoformat(), _LAST_DAY),)
    return ()


def _parse_first_day(value: str) -> date:
    """Parses the first day of a year, a month or a day. Raises ValueError."""
    found = _DATE.fullmatch(value)
    if found is None:
        raise ValueError("no date")
    return date(*(int(part or 1) for part in found.groups()))


_NO_WORD = Malformed(
    "missing-value", Message("“{input}” was read as words: it is followed by a word or a phrase.")
)
_NO_DATE = Malformed(
    "invalid-date", Message("“{input}” was read as words: a date is 2024, 2024-05 or 2024-05-01.")
)
_TABLE = (
    Operator("intitle", TextFilter("title"), _NO_WORD, (("intitle:queue", Message("in the title")),)),
    Operator("inurl", TextFilter("path"), _NO_WORD, (("inurl:library", Message("in the address")),)),
    Operator(
        "site",
        KeyFilter(parse_site),
        Malformed(
            "invalid-site",
            Message("“{input}” was read as words: site: is followed by a host, as in site:example.org/docs."),
        ),
        (
            ("site:example.org", Message("on this host and its subdomains")),
            ("site:example.org/docs", Message("addresses that begin with this")),
        ),
    ),
    Operator(
        "link",
        LinkFilter("link", parse_links),
        Malformed(
            "invalid-link",
            Message(
                "“{input}” was read as words: link: is followed by a URL, as in link:https://example.org/."
            ),
        ),
        (("link:https://example.org/", Message("pages that link to this address")),),
    ),
    Operator(
        "filetype",
        KeyFilter(parse_type),
        Malformed(
            "invalid-type", Message("“{input}” was read as words: filetype: is followed by one of {types}.")
        ),
        (("filetype:pdf", Message("documents of a type: {types}", types=", ".join(FILETYPES))),),
    ),
    Operator(
        "lang",
        KeyFilter(parse_language),
        Malformed(
            "invalid-language",
            Message("“{input}” was read as words: lang: is followed by a language code, as in lang:en."),
        ),
        (("lang:pl", Message("in a language")),),
    ),
    Operator(
        "after",
        KeyFilter(parse_after),
        _NO_DATE,
        (("after:2024-05 before:2025", Message("after and before a day, month or year")),),
    ),
    Operator("before", KeyFilter(parse_before), _NO_DATE),
)
OPERATORS: Mapping[str, Operator] = {one.word: one for one in _TABLE}

CHOICES: Mapping[str, ParseKeys] = {
    "host": parse_host,
    "lang": parse_language,
    "type": parse_type,
    "after": parse_after,
}
"""How what was chosen is parsed, by narrowing.FIELDS.

What a label means crawl.toml tells: engine.index.searching.labels.
"""
