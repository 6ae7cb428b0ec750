"""Renders answers; all HTML passes one template environment that escapes."""

import json
from collections.abc import Mapping
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.responses import HTMLResponse, Response

from engine.index.searching import SCORED
from engine.model import Choice, Hit
from engine.search import WAYS
from search_ui.rendering import formatting, languages, menus, translations
from search_ui.rendering.hit_items import Items
from search_ui.rendering.locales import switch
from search_ui.rendering.opensearch import feed_address

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
    chosen=menus.chosen,
    as_code=lambda value: json.dumps(value, ensure_ascii=False, indent=2),
    crumbs=formatting.crumbs,
    day=formatting.day,
    duration=formatting.duration,
    feed_address=feed_address,
    hit_address=formatting.hit_address,
    host_address=formatting.host_address,
    language_name=languages.language_name,
    last_page=formatting.last_page,
    menus=menus.menus,
    links_address=formatting.links_address,
    listed=lambda value: ", ".join(map(str, value)) if isinstance(value, list | tuple) else value,
    marked=formatting.marked,
    milliseconds=formatting.milliseconds,
    number=translations.number,
    percent=translations.percent,
    page_numbers=formatting.page_numbers,
    plain_term=formatting.plain_term,
    points=formatting.points,
    search_address=formatting.search_address,
    sorts=menus.sorts,
    switch=switch,
    text_direction=languages.text_direction,
    translated=translations.translated,
    type_label=formatting.type_label,
    web_link=formatting.web_link,
)
_TEMPLATES.globals.update(
    gettext=translations.in_template,
    ngettext=translations.in_template_counted,
    PLACES=formatting.PLACES,
    SCORED=SCORED,
    WAYS=WAYS,
    page_direction=translations.direction,
    page_language=translations.LANGUAGE.get,
)


def _item(hit: Hit, typed: str, choice: Choice) -> Markup:
    item: Markup = _TEMPLATES.get_template("hits.html").module.one(hit, typed, choice)  # type: ignore[attr-defined]
    return item


_TEMPLATES.filters["item"] = Items(_item)


def html(
    template: str, status: int = 200, headers: Mapping[str, str] | None = None, **values: object
) -> Response:
    """A page; half a character (a lone surrogate) in a stranger's text is shown as a question mark."""
    text = _TEMPLATES.get_template(template).render(values)
    return HTMLResponse(text.encode("utf-8", "replace"), status, headers)


def to_json(value: object) -> bytes:
    """JSON in UTF-8 (RFC 8259, section 8.1), always well-formed."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace")
