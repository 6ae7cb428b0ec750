"""Derives a page's keys for filters: its sites, its type and its day (engine.index.query.operators)."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from itertools import accumulate

from engine.formats import BY_MEDIA_TYPE
from engine.model import Page
from engine.url import authority_of, host_name

MAX_LABELS = 16  # of a host, from its end, that are a site of their own; real names have five at most
DAY_SECONDS = 86_400


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
