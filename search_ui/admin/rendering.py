"""Renders the operator's pages: English, as commands speak, and never kept by a browser or on the way."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TypeVar

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.responses import HTMLResponse, Response

from engine.monitor import legible, span
from engine.report import escape_text, format_bytes, format_time
from engine.store import Extent
from search_ui.admin.request import AdminRequest
from search_ui.server import build_own_url

PAGE_ROWS = 50  # of a list on one page
NO_STORE: Mapping[str, str] = {"Cache-Control": "no-store"}  # also not by a browser's way back
HEADERS: Mapping[str, str] = {
    **NO_STORE,
    # The others say no-referrer, which makes a browser hide from us, too, where a form was sent from.
    "Referrer-Policy": "same-origin",
    "Content-Language": "en",
}
NAVIGATION: Sequence[tuple[str, str]] = (
    ("/admin", "Overview"),
    ("/admin/hosts", "Hosts"),
    ("/admin/failed", "Failed URLs"),
    ("/admin/submissions", "Submissions"),
    ("/admin/suspects", "Suspects"),
    ("/admin/removals", "Removals"),
    ("/admin/complaints", "Complaints"),
    ("/admin/quarantine", "Quarantine"),
    ("/admin/index", "Index"),
    ("/admin/queries", "Queries"),
    ("/admin/synonyms", "Synonyms"),
    ("/admin/pins", "Pins"),
    ("/admin/labels", "Labels"),
    ("/admin/tokens", "Tokens"),
    ("/admin/alarms", "Alarms"),
    ("/admin/lookup", "Look up"),
    ("/admin/audit", "Audit log"),
)

T = TypeVar("T")

_TEMPLATES = Environment(
    loader=FileSystemLoader(Path(__file__).with_name("templates")),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    auto_reload=False,
)
_TEMPLATES.filters.update(
    bytes=format_bytes,
    legible=legible,
    number=lambda value: f"{value:,}",
    span=span,
    text=escape_text,
    typed=lambda target: f"{target.text}{'*' * (target.extent is Extent.PREFIX)}",
    moment=lambda text: _mark_time(text),
    short=lambda value: f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:,.1f}",
    time=lambda at: _mark_time(format_time(at)),
)
_TEMPLATES.globals.update(NAVIGATION=NAVIGATION, own_url=build_own_url)


def _mark_time(text: str) -> Markup:
    """Marks a time, in ISO 8601 and UTC, so that no line is broken within it."""
    shown = text.removesuffix("+00:00").replace("T", " ")
    return Markup('<time datetime="{}">{}</time>').format(text, shown)


def render_admin(template: str, asked: AdminRequest | None, status: int = 200, **values: object) -> Response:
    """Renders a page; `asked` is None before there is a session."""
    text = _TEMPLATES.get_template(template).render(asked=asked, **values)
    return HTMLResponse(text.encode("utf-8", "replace"), status, HEADERS)


def cut_page(rows: Iterator[T], asked: AdminRequest) -> tuple[list[T], int | None]:
    """Cuts the page of a list that begins at `from`; also tells where the next one begins, None for none."""
    shown = list(islice(rows, asked.start, asked.start + PAGE_ROWS + 1))
    return shown[:PAGE_ROWS], asked.start + PAGE_ROWS if len(shown) > PAGE_ROWS else None
