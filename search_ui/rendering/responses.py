"""Renders answers; all HTML passes one template environment that escapes."""

import json
from collections.abc import Mapping
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.responses import HTMLResponse, Response

from engine.index.searching import SCORED
from engine.model import Hit, SearchFilters
from engine.search import QUERY_SYNTAX
from search_ui.rendering import formatting, languages, menus, translations
from search_ui.rendering.locales import list_language_links
from search_ui.rendering.opensearch import build_feed_url

ROOT = Path(__file__).parents[1]

_TEMPLATES = Environment(
    loader=FileSystemLoader(ROOT / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    auto_reload=False,
    extensions=["jinja2.ext.i18n"],
)
_TEMPLATES.policies["ext.i18n.trimmed"] = True  # a line break in a text is a space
_TEMPLATES.newstyle_gettext = True  # type: ignore[attr-defined]
_TEMPLATES.filters.update(
    chosen=menus.list_filters,
    as_code=lambda value: json.dumps(value, ensure_ascii=False, indent=2),
    crumbs=formatting.split_breadcrumbs,
    day=formatting.format_day,
    duration=formatting.format_duration,
    feed_address=build_feed_url,
    hit_address=formatting.build_hit_url,
    host_address=formatting.build_host_url,
    language_name=languages.foreign_name,
    last_page=formatting.count_pages,
    menus=menus.build_menus,
    links_address=formatting.build_links_url,
    listed=lambda value: ", ".join(map(str, value)) if isinstance(value, list | tuple) else value,
    marked=formatting.render_marks,
    milliseconds=formatting.format_milliseconds,
    number=translations.format_number,
    percent=translations.format_share,
    page_numbers=formatting.list_page_numbers,
    plain_term=formatting.strip_variant_mark,
    points=formatting.format_points,
    search_address=formatting.build_search_url,
    sorts=menus.list_sort_orders,
    switch=list_language_links,
    text_direction=languages.text_direction,
    translated=translations.translate,
    type_label=formatting.format_type,
    web_link=formatting.as_web_link,
)
_TEMPLATES.globals.update(
    gettext=translations.gettext_html,
    ngettext=translations.ngettext_html,
    PLACES=formatting.PLACES,
    SCORED=SCORED,
    WAYS=QUERY_SYNTAX,
    page_direction=translations.page_direction,
    page_language=translations.LANGUAGE.get,
)


def _item(hit: Hit, typed: str, choice: SearchFilters) -> Markup:
    item: Markup = _TEMPLATES.get_template("hits.html").module.one(hit, typed, choice)  # type: ignore[attr-defined]
    return item


_TEMPLATES.filters["item"] = _item


def render_html(
    template: str, status: int = 200, headers: Mapping[str, str] | None = None, **values: object
) -> Response:
    """Renders a page; a lone surrogate in a stranger's text is shown as a question mark."""
    text = _TEMPLATES.get_template(template).render(values)
    return HTMLResponse(text.encode("utf-8", "replace"), status, headers)


def encode_json(value: object) -> bytes:
    """Encodes JSON in UTF-8 (RFC 8259, section 8.1), always well-formed."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace")
