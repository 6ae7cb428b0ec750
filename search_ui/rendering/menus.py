"""Builds the menus of facets and sort orders: links to the same query, narrowed."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

from engine.formats import FORMATS
from engine.index.searching import SPANS
from engine.model import FIELDS, Choice, FacetCount, Message, Results, Sort
from search_ui.rendering.formatting import day, format_label, search_address
from search_ui.rendering.languages import own_name
from search_ui.rendering.translations import translated

_NAMES = {
    "label": Message("Site"),
    "host": Message("Host"),
    "lang": Message("Language"),
    "type": Message("Type"),
    "after": Message("Date"),
}
_SORTS = {Sort.RELEVANCE: Message("relevance"), Sort.DATE: Message("date")}
_PAST = Message("past day"), Message("past week"), Message("past month"), Message("past year")
_SPANS = dict(zip(SPANS, _PAST, strict=True))
_FORMATS = {one.name: one for one in FORMATS}


class Way(NamedTuple):
    """One link: `hits` are those that it leads to, `address` is '' where it would lead to this very page."""

    label: str
    address: str
    hits: int = 0


class Menu(NamedTuple):
    """The values of one field."""

    name: str
    ways: list[Way]


def menus(results: Results) -> Iterator[Menu]:
    """The fields that would leave some of the hits out, but those in which a choice was made."""
    for field, shares in results.facets.shares.items() if results.facets else ():
        ways = [_way(results, field, share) for share in shares if share.hits < results.total]
        if ways and field not in results.choice.chosen:
            yield Menu(translated(_NAMES[field]), ways)


def chosen(results: Results) -> list[Way]:
    """What was chosen, each with a way to the hits without it."""
    values = results.choice.chosen
    return [
        Way(
            f"{translated(_NAMES[field])}: {label(field, values[field])}",
            _address(results, results.choice.having(field, "")),
        )
        for field in FIELDS
        if field in values
    ]


def sorts(results: Results) -> list[Way]:
    """The orders there are; the one of these hits leads nowhere."""
    return [
        Way(
            translated(name),
            _address(results, results.choice._replace(sort=sort)) if sort != results.choice.sort else "",
        )
        for sort, name in _SORTS.items()
    ]


def label(field: str, value: str) -> str:
    """A value as people call it."""
    if field == "after":
        return _time(value, datetime.now(UTC).date())
    if field == "lang":
        return own_name(value)
    return format_label(_FORMATS[value]) if field == "type" and value in _FORMATS else value


def _way(results: Results, field: str, share: FacetCount) -> Way:
    address = _address(results, results.choice.having(field, share.value))
    return Way(label(field, share.value), address, share.hits)


def _address(results: Results, choice: Choice) -> str:
    return search_address(results.query, choice=choice)


def _time(value: str, today: date) -> str:
    """The day, month or year since when, as a span of time where it is one of those that are offered."""
    spans = {(today - timedelta(span)).isoformat(): name for span, name in _SPANS.items()}
    return translated(spans.get(value) or Message("since {day}", day=day(value) or value))
