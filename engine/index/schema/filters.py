"""Turns values of site:, filetype:, lang:, before: and after: into keys of the index.

Every key is a posting list of its own, so a filter costs one list or, for dates and paths, a range of lists,
whatever the size of the index; a domain is a key of every host below it.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime
from itertools import accumulate
from typing import NamedTuple

from engine.formats import BY_MEDIA_TYPE, FORMATS
from engine.model import NoteKind, Page
from engine.url import authority_of, canonicalize, host_name, host_of

MAX_LABELS = 16  # of a host, from its end, that are a site of their own; real names have five at most
DAY_SECONDS = 86_400
_LAST = "\U0010ffff"  # behind every character of a URL
_FIRST_DAY, _LAST_DAY = "", "9999-12-31"
_TYPED = {name: one.name for one in FORMATS for name in (one.name, *one.other_names)}
_HOST = r"(?:\[[0-9A-Fa-f:.]+\]|[^/?#.:@*\s\[][^/?#:@*\s]*+)(?::\d+)?"
_SITE = re.compile(rf"(?:(https?)://)?(?:\*?\.)?({_HOST}(?:/.*)?)", re.IGNORECASE | re.ASCII)
_LANGUAGE = re.compile(r"([A-Za-z]{2,3})(?:[-_][A-Za-z0-9]{2,8})*")  # the primary subtag: RFC 5646, 2.2.1
_DATE = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?", re.ASCII)


class Keys(NamedTuple):
    """The keys of a field from the first to the last, these included."""

    field: str
    first: str
    last: str


class Operator(NamedTuple):
    """How a value is read: ranges of keys of which a document has one, () for a malformed value."""

    read: Callable[[str], Sequence[Keys]]
    malformed: NoteKind


def sites_of(host: str) -> Sequence[str]:
    """Lists the sites that a host is in, itself last: org, example.org, docs.example.org.

    One with a port is a site of its own besides.
    """
    name, authority = host_name(f"{host}/"), authority_of(f"{host}/")
    whole = dict.fromkeys((name, authority))
    if name.startswith("[") or name.replace(".", "").isdigit():
        return tuple(whole)
    labels = name.split(".")[: -MAX_LABELS - 1 : -1]
    below = accumulate(labels, lambda parent, label: f"{label}.{parent}")
    return tuple(dict.fromkeys((*below, *whole)))


def parse_addresses(value: str) -> Sequence[str]:
    """Parses what stands behind link: into canonical URLs; without a scheme both, () for none."""
    typed = (value,) if "://" in value else (f"https://{value}", f"http://{value}")
    with suppress(ValueError):
        return tuple(map(canonicalize, typed)) if value else ()
    return ()


def type_of(media_type: str) -> str:
    """Returns what filetype: calls a media type, '' for what it has no word for."""
    found = BY_MEDIA_TYPE.get(media_type)
    return found.name if found else ""


def day_of(page: Page, fetched_at: float) -> str:
    """Returns the page's date, 2024-05-01, UTC: as it says itself, else when it was fetched (seconds since
    1970).
    """
    return stated_day(page.modified, page.published, fetched_at) or _first_valid_day((fetched_at,))


def stated_day(modified: float | None, published: float | None, fetched_at: float) -> str:
    """Returns the day on which a page says that it was changed last, or else published, '' where it does not
    say.

    A date that had not come when it was fetched says nothing.
    """
    stated = (at for at in (modified, published) if at is not None and at < fetched_at + DAY_SECONDS)
    return _first_valid_day(stated)


def _first_valid_day(moments: Iterable[float]) -> str:
    """Returns the day of the first of them that calendars have, '' for none."""
    for at in moments:
        with suppress(ValueError, OverflowError, OSError):
            return datetime.fromtimestamp(at, UTC).date().isoformat()
    return ""


def _read_site(value: str) -> Iterator[Keys]:
    """Reads a name and all hosts below it; with a scheme that host alone; with a path the URLs
    that begin so.
    """
    found = _SITE.fullmatch(value)
    if found is None:
        return
    with suppress(ValueError):
        scheme, rest = found.groups()
        url = canonicalize(f"{scheme or 'http'}://{rest}")
        yield from _site_keys(url, scheme.lower() if scheme else "")


def _site_keys(url: str, scheme: str) -> Iterator[Keys]:
    host = host_of(url)
    path = url[len(host) :]
    if path == "/":
        yield Keys("host", host, host) if scheme else Keys("site", authority_of(url), authority_of(url))
        return
    for one in (scheme,) if scheme else ("http", "https"):
        beginning = f"{one}://{authority_of(url)}{path}"
        yield Keys("url", beginning, beginning + _LAST)


def _read_type(value: str) -> Iterator[Keys]:
    if wanted := _TYPED.get(value.lower().removeprefix(".")):
        yield Keys("type", wanted, wanted)


def _read_language(value: str) -> Iterator[Keys]:
    if found := _LANGUAGE.fullmatch(value):
        yield Keys("language", found[1].lower(), found[1].lower())


def _read_before(value: str) -> Iterator[Keys]:
    """Reads the days up to the one before it begins."""
    with suppress(ValueError, OverflowError):
        first = _parse_first_day(value)
        yield Keys("day", _FIRST_DAY, date.fromordinal(first.toordinal() - 1).isoformat())


def _read_after(value: str) -> Iterator[Keys]:
    """Reads the days from its first on."""
    with suppress(ValueError):
        yield Keys("day", _parse_first_day(value).isoformat(), _LAST_DAY)


def _parse_first_day(value: str) -> date:
    """Parses the first day of a year, a month or a day. Raises ValueError."""
    found = _DATE.fullmatch(value)
    if found is None:
        raise ValueError("no date")
    return date(*(int(part or 1) for part in found.groups()))


def _read_host(value: str) -> Iterator[Keys]:
    """Reads one host, with http and https, and none below it."""
    for site in _read_site(value):
        if site.field == "site":
            for host in (f"http://{site.first}", f"https://{site.first}"):
                yield Keys("host", host, host)


OPERATORS: Mapping[str, Operator] = {
    "site": Operator(lambda value: tuple(_read_site(value)), NoteKind.NO_SITE),
    "filetype": Operator(lambda value: tuple(_read_type(value)), NoteKind.NO_TYPE),
    "lang": Operator(lambda value: tuple(_read_language(value)), NoteKind.NO_LANGUAGE),
    "before": Operator(lambda value: tuple(_read_before(value)), NoteKind.NO_DATE),
    "after": Operator(lambda value: tuple(_read_after(value)), NoteKind.NO_DATE),
}

CHOICES: Mapping[str, Callable[[str], Sequence[Keys]]] = {
    "host": lambda value: tuple(_read_host(value)),
    "lang": OPERATORS["lang"].read,
    "type": OPERATORS["filetype"].read,
    "after": OPERATORS["after"].read,
}
"""How what was chosen is read, by narrowing.FIELDS: keys of which a document has one, () for none.

What a label means crawl.toml tells: engine.index.searching.labels.
"""
