"""Builds the menus of facets and sort orders: links to the same query, narrowed."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

from engine.formats import FORMATS
from engine.index.searching import SPANS
from engine.model import FILTER_FIELDS, FacetCount, Message, Results, SearchFilters, Sort
from search_ui.rendering.formatting import build_search_url, format_day, translate_format
from search_ui.rendering.languages import native_name
from search_ui.rendering.translations import translate

_NAMES = {
    "label": Message("Collection"),
    "host": Message("Site"),
    "lang": Message("Language"),
    "type": Message("Type"),
    "after": Message("Date"),
}
_SORTS = {Sort.RELEVANCE: Message("relevance"), Sort.DATE: Message("date")}
_PAST = Message("past day"), Message("past week"), Message("past month"), Message("past year")
_SPANS = dict(zip(SPANS, _PAST, strict=True))
_FORMATS = {one.name: one for one in FORMATS}


class MenuLink(NamedTuple):
    """One link: `hits` counts its results; `address` is '' for the page shown, `detail` is shown too."""

    label: str
    address: str
    hits: int = 0
    detail: str = ""


class Menu(NamedTuple):
    """A menu of the values of one field."""

    name: str
    links: list[MenuLink]


def build_menus(results: Results) -> Iterator[Menu]:
    """Builds a menu for each field that narrows the hits, without those already chosen."""
    for field, shares in results.facets.counts.items() if results.facets else ():
        links = [_menu_link(results, field, share) for share in shares if share.hits < results.total]
        if links and field not in results.choice.chosen:
            yield Menu(translate(_NAMES[field]), links)


def list_filters(results: Results) -> list[MenuLink]:
    """Lists the active filters, each with a link that removes it."""
    values = results.choice.chosen
    return [
        MenuLink(
            f"{translate(_NAMES[field])}: {_name_value(results, field, values[field])}",
            _search_url(results, results.choice.with_value(field, "")),
        )
        for field in FILTER_FIELDS
        if field in values
    ]


def list_sort_orders(results: Results) -> list[MenuLink]:
    """Lists the sort orders; the current one has no link."""
    return [
        MenuLink(
            translate(name),
            _search_url(results, results.choice._replace(sort=sort)) if sort != results.choice.sort else "",
        )
        for sort, name in _SORTS.items()
    ]


def format_value(field: str, value: str) -> str:
    """Formats a value of a field for people."""
    if field == "after":
        return _time(value, datetime.now(UTC).date())
    if field == "lang":
        return native_name(value)
    return translate_format(_FORMATS[value]) if field == "type" and value in _FORMATS else value


def _menu_link(results: Results, field: str, share: FacetCount) -> MenuLink:
    address = _search_url(results, results.choice.with_value(field, share.value))
    label = _name_value(results, field, share.value)
    detail = share.value if field == "host" and label != share.value else ""
    return MenuLink(label, address, share.hits, detail)


def _name_value(results: Results, field: str, value: str) -> str:
    """Names a host as its pages do; formats any other value."""
    return results.sites.get(value, value) if field == "host" else format_value(field, value)


def _search_url(results: Results, choice: SearchFilters) -> str:
    return build_search_url(results.query, choice=choice)


def _time(value: str, today: date) -> str:
    """Formats a start date, as a span (past week) where the menus offer it."""
    spans = {(today - timedelta(span)).isoformat(): name for span, name in _SPANS.items()}
    return translate(spans.get(value) or Message("since {day}", day=format_day(value) or value))
