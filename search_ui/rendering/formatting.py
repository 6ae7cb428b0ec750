"""Formats values for people: plain text and numbers in, plain text out; the templates escape."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from urllib.parse import quote, quote_plus, unquote, urlsplit

from markupsafe import Markup, escape

from engine.formats import BY_MEDIA_TYPE, Format
from engine.model import NO_FILTERS, Message, Results, SearchFilters, Sort
from engine.text.analysis import VARIANT_MARK
from search_ui.rendering.translations import format_date_medium, format_number, format_time_unit, translate
from search_ui.search_request import MAX_PAGE, MAX_TYPED
from search_ui.server import build_own_url

MAX_CRUMBS = 5  # parts of a URL shown; the middle of a longer one goes
MAX_CRUMB = 60  # characters of one part
MAX_NUMBERS = 9  # page numbers shown at once

_AROUND_SITE = " |-–—:·•/«»()[]"  # between a title and the name of its site, and behind that
_STAYS_ENCODED = frozenset("/?#%›\N{REPLACEMENT CHARACTER}")  # would look like the URL's own parts
_LABELS = (
    Message("web page"),
    Message("plain text"),
    Message("OpenDocument text"),
    Message("OpenDocument spreadsheet"),
    Message("OpenDocument presentation"),
)
_TRANSLATED: dict[str, Message] = {str(one): one for one in _LABELS}
"""Labels of formats that are translated; the others are names."""
FIELD_NAMES = {
    "title": Message("title"),
    "headings": Message("headings"),
    "anchor": Message("link text"),
    "path": Message("address"),
    "description": Message("description"),
    "subject": Message("title without the words of its site"),
    "keywords": Message("keywords"),
    "body": Message("text"),
    "rest": Message("menus and boilerplate"),
}
"""Labels of the text fields (engine.index.schema.schema.TEXT_FIELDS)."""
_SPELLING = "\N{ZERO WIDTH NON-JOINER}"  # not printable, but Persian words have it


def encode_query(fields: Mapping[str, object]) -> str:
    """Encodes fields as the query of a URL (application/x-www-form-urlencoded)."""
    return "&".join([f"{name}={_quoted(str(value))}" for name, value in fields.items()])


def _quoted(value: str) -> str:
    return quote_plus(value, errors="replace")


def build_search_url(typed: str, page: int = 1, choice: SearchFilters = NO_FILTERS) -> str:
    """Builds the URL of one page of hits."""
    fields = list_fields(typed, choice)
    return build_own_url("/search?") + encode_query(fields if page == 1 else {**fields, "page": page})


def list_fields(typed: str, choice: SearchFilters) -> dict[str, object]:
    """Lists the fields of a search: what was typed, its filters, and its order if it is not by relevance."""
    fields: dict[str, object] = {"q": typed, **choice.chosen}
    return fields if choice.sort is Sort.RELEVANCE else {**fields, "sort": choice.sort}


def build_verbatim_url(typed: str, choice: SearchFilters) -> str:
    """Builds the URL of the hits for what was typed, even if there are none and another spelling has some."""
    return build_search_url(typed, choice=choice) + "&verbatim=1"


def build_host_url(typed: str, host: str, choice: SearchFilters) -> str:
    """Builds the URL of the hits of one host, other filters kept."""
    return build_search_url(typed, choice=choice.with_value("host", host))


def build_links_url(url: str) -> str:
    """Builds the URL of a search for pages that link to a URL; '' if that is too long to search for."""
    typed = f"link:{url}"
    return build_search_url(typed) if len(typed) <= MAX_TYPED else ""


def build_hit_url(page: str, url: str, typed: str = "") -> str:
    """Builds the URL of a page about one hit (search_ui.pages.hit_pages)."""
    return build_own_url(f"/{page}?") + encode_query({"url": url, **({"q": typed} if typed else {})})


def list_page_numbers(results: Results) -> range:
    """Lists the page numbers to offer: without gaps (requirement 306), around the one shown."""
    last = count_pages(results)
    first = max(1, min(results.page - MAX_NUMBERS // 2, last - MAX_NUMBERS + 1))
    return range(first, min(last, first + MAX_NUMBERS - 1) + 1)


def count_pages(results: Results) -> int:
    """Counts the pages of hits, 0 when nothing matched."""
    return min(results.pages, MAX_PAGE)


def split_marks(snippet: str, marks: Sequence[tuple[int, int]]) -> Iterator[tuple[str, bool]]:
    """Splits a snippet at its matches; yields each piece, and whether it is a match."""
    at = 0
    for mark in sorted(marks):
        start, end = max(at, mark[0]), min(mark[1], len(snippet))
        if start >= end:
            continue
        if at < start:
            yield snippet[at:start], False
        yield snippet[start:end], True
        at = end
    if at < len(snippet):
        yield snippet[at:], False


def render_marks(text: str, marks: Sequence[tuple[int, int]]) -> Markup:
    """Renders a text as HTML with its matches in <mark>; a Jinja macro takes three times as long."""
    html = [
        f"<mark>{escape(piece)}</mark>" if is_match else escape(piece)
        for piece, is_match in split_marks(text, marks)
    ]
    return Markup("".join(html))  # noqa: S704  (all of it is escaped)


def as_web_link(url: str) -> str:
    """Returns the URL if it may be linked to, that is http or https with a host; else ''."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    return url if parts.scheme in ("http", "https") and parts.hostname else ""


def split_breadcrumbs(url: str) -> Sequence[str]:
    """Splits a web URL into breadcrumbs: the host, then the path's parts; any other URL is one piece."""
    if not as_web_link(url):
        return [_cut(_legible(url, stays_encoded=frozenset()))]
    parts = urlsplit(url)
    path = [_cut(_decode(part)) for part in parts.path.split("/") if part]
    if parts.query:
        last = path.pop() if path else ""
        path.append(_cut(f"{last}?{_decode(parts.query)}"))
    host = _legible(parts.netloc.rpartition("@")[2])
    shown = [host, *path]
    return shown if len(shown) <= MAX_CRUMBS else [host, path[0], "…", *path[-2:]]


def _decode(part: str) -> str:
    """Decodes percent-encoded UTF-8; what could deceive the eye, or is not UTF-8, stays encoded."""
    try:
        return _legible(unquote(part, errors="strict"))
    except UnicodeDecodeError:
        return _legible(part, stays_encoded=frozenset())


def _legible(text: str, stays_encoded: frozenset[str] = _STAYS_ENCODED) -> str:
    if text.isprintable() and stays_encoded.isdisjoint(text):  # as most are
        return text
    return "".join(
        char
        if (char.isprintable() or char == _SPELLING) and char not in stays_encoded
        else quote(char, safe="", errors="replace")
        for char in text
    )


def _cut(text: str) -> str:
    return text if len(text) <= MAX_CRUMB else text[: MAX_CRUMB - 1] + "…"


def omit_site(title: str, site: str) -> str:
    """Omits the name of its site from the end of a title, where it stands beside the address already."""
    ended = title.rstrip(_AROUND_SITE)
    if not site or not ended.endswith(site):
        return title
    before = ended.removesuffix(site).rstrip()
    rest = before.rstrip(_AROUND_SITE)
    return rest if rest and rest != before else title


def format_day(moment: str) -> str:
    """Formats the date of an ISO 8601 day or moment, '' when it is none."""
    try:
        return format_date_medium(datetime.fromisoformat(moment).date())
    except ValueError:
        return ""


def format_type(media_type: str) -> str:
    """Formats the type of a document, '' for a web page and for an unknown type."""
    known = BY_MEDIA_TYPE.get(media_type)
    return translate_format(known) if known and known.name != "html" else ""


def translate_format(one: Format) -> str:
    """Translates the label of a format."""
    return translate(_TRANSLATED[one.label]) if one.label in _TRANSLATED else one.label


def format_points(score: float) -> str:
    """Formats a part of a score, to two decimal places."""
    return format_number(round(score, 2) + 0.0, decimals=2)  # and minus nothing is nothing


def strip_variant_mark(term: str) -> str:
    """Strips the mark of a variant from a term of the index."""
    return term.removeprefix(VARIANT_MARK)


def format_milliseconds(took: float) -> str:
    """Formats how long a search took."""
    if took >= 1:
        return format_time_unit(took, "millisecond")
    return translate(Message("under {time}", time=format_time_unit(1, "millisecond")))


def format_duration(seconds: float) -> str:
    """Formats a duration coarsely: in the largest unit of which there are at least two."""
    for unit, length in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if seconds >= 2 * length:
            return format_time_unit(seconds / length, unit)
    return format_time_unit(seconds, "second")
