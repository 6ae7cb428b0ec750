"""Reports which pages of a host lack titles and descriptions, or share them (requirement 318)."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import sqlalchemy as sa

from engine.database import hosts, pages, urls
from engine.packing import unpack_title

MAX_PAGES = 5_000  # of one host that are read, those known first; some 0.1 s of work
MAX_LISTED = 100  # URLs or texts of any list
MAX_SHARING = 5  # pages named that share a text
HTML = ("text/html", "application/xhtml+xml")  # other documents have no META


class SharedText(NamedTuple):
    """A text that several pages have, and the first of them."""

    text: str
    urls: Sequence[str]
    total: int


class TextReport(NamedTuple):
    """What is wrong with one kind of text."""

    missing: Sequence[str]  # URLs
    missing_total: int
    shared: Sequence[SharedText]  # those of most pages first
    shared_total: int


class PageTexts(NamedTuple):
    """What is wrong with titles and descriptions of the pages that were read."""

    titles: TextReport
    descriptions: TextReport
    read: int
    is_cut: bool  # there are more pages


def load_page_texts(connection: sa.Connection, host: str) -> PageTexts:
    """Loads the report of a host; one page's text at a time is in memory."""
    titles: dict[str, list[str]] = defaultdict(list)
    descriptions: dict[str, list[str]] = defaultdict(list)
    read = 0
    for url, title, description in _read_texts(connection, host):
        titles[_on_one_line(title)].append(url)
        descriptions[_on_one_line(description)].append(url)
        read += 1
    return PageTexts(_report(titles), _report(descriptions), read, read >= MAX_PAGES)


def _read_texts(connection: sa.Connection, host: str) -> Iterator[tuple[str, str, str]]:
    page_of = urls.join(pages, pages.c.url_id == urls.c.id).join(hosts, hosts.c.id == urls.c.host_id)
    query = (
        sa.select(urls.c.url, pages.c.content)
        .select_from(page_of)
        .where(hosts.c.host == host, pages.c.media_type.in_(HTML))
        .order_by(urls.c.id)
        .limit(MAX_PAGES)
        .execution_options(yield_per=100)
    )
    for url, content in connection.execute(query):
        yield (url, *unpack_title(content))


def _report(found: Mapping[str, list[str]]) -> TextReport:
    missing = found.get("", [])
    shared = sorted(
        (
            SharedText(text, with_it[:MAX_SHARING], len(with_it))
            for text, with_it in found.items()
            if text and len(with_it) > 1
        ),
        key=lambda one: (-one.total, one.text),
    )
    return TextReport(missing[:MAX_LISTED], len(missing), shared[:MAX_LISTED], len(shared))


def _on_one_line(text: str) -> str:
    return " ".join(text.split())
