"""Renders answers; all HTML passes one template environment that escapes."""

import json
from collections.abc import Mapping
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.responses import HTMLResponse, Response

from engine.index.searching import SCORED
from engine.model import Hit, Results
from engine.search import QUERY_SYNTAX
from search_ui.rendering import formatting, languages, menus, translations
from search_ui.rendering.locales import list_language_links
from search_ui.rendering.opensearch import build_feed_url
from search_ui.rendering.playback import build_playback_url
from search_ui.server import build_own_url, find_sign_in_link

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
    active_filters=menus.list_filters,
    breadcrumbs=formatting.split_breadcrumbs,
    comma_list=lambda value: ", ".join(map(str, value)) if isinstance(value, list | tuple) else value,
    date=formatting.format_day,
    duration=formatting.format_duration,
    feed_url=build_feed_url,
    highlight=formatting.render_marks,
    hit_url=formatting.build_hit_url,
    host_url=formatting.build_host_url,
    inlinks_url=formatting.build_links_url,
    language_links=list_language_links,
    language_name=languages.foreign_name,
    last_page=formatting.count_pages,
    menus=menus.build_menus,
    number=translations.format_number,
    omit_site=formatting.omit_site,
    page_numbers=formatting.list_page_numbers,
    percent=translations.format_share,
    playback_url=build_playback_url,
    plain_term=formatting.strip_variant_mark,
    pretty_json=lambda value: json.dumps(value, ensure_ascii=False, indent=2),
    score=formatting.format_points,
    search_time=formatting.format_milliseconds,
    search_url=formatting.build_search_url,
    sort_orders=menus.list_sort_orders,
    text_direction=languages.text_direction,
    translate=translations.translate,
    verbatim_url=formatting.build_verbatim_url,
    type_label=formatting.format_type,
    web_link=formatting.as_web_link,
)
_TEMPLATES.globals.update(
    gettext=translations.gettext_html,
    ngettext=translations.ngettext_html,
    FIELD_NAMES=formatting.FIELD_NAMES,
    SCORED=SCORED,
    own_url=build_own_url,  # no filter: Jinja applies these to constants once, as it compiles
    QUERY_SYNTAX=QUERY_SYNTAX,
    page_direction=translations.page_direction,
    sign_in_link=find_sign_in_link,
    page_language=translations.LANGUAGE.get,
)


def _render_hit(hit: Hit, results: Results, is_dated: bool) -> Markup:
    html: Markup = _TEMPLATES.get_template("hits.html").module.one(hit, results, is_dated)  # type: ignore[attr-defined]
    return html


_TEMPLATES.filters["hit_html"] = _render_hit


def render_html(
    template: str, status: int = 200, headers: Mapping[str, str] | None = None, **values: object
) -> Response:
    """Renders a page; a lone surrogate in a stranger's text is shown as a question mark."""
    text = _TEMPLATES.get_template(template).render(values)
    return HTMLResponse(text.encode("utf-8", "replace"), status, headers)


def encode_json(value: object) -> bytes:
    """Encodes JSON in UTF-8 (RFC 8259, section 8.1), always well-formed."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace")
