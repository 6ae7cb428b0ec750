"""Shows the text of a page as it was read, where its owner permits that."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from engine.index.snippets.matcher import QueryMatcher
from engine.index.snippets.snippet import Snippet, highlight
from engine.index.stored_pages import StoredPage
from engine.model import CELL_END
from engine.packing import texts
from engine.text.analysis import strip_bidi_controls

MAX_COPY = 100_000  # characters of a page; the longest of the Python documentation has as many


class NoCopy(StrEnum):
    """Why there is no copy to be read."""

    UNKNOWN = "unknown"  # the index does not have the page: never read, or removed since
    OWNER = "owner"  # who asks that none is shown, or lets little of it be shown (requirements 203, 206)
    NOTHING = "nothing"  # the page has nothing to say


@dataclass(frozen=True, slots=True)
class CopySection:
    """A section: its heading, '' for none, and its lines, none of them empty, with the words sought."""

    heading: Snippet
    lines: Sequence[Snippet]


@dataclass(frozen=True, slots=True)
class TextCopy:
    """A page that may be read here; dates are ISO 8601, UTC."""

    url: str
    title: str
    language: str
    media_type: str
    day: str  # of which it says that it is, '' where it does not say
    fetched_at: str
    parts: Sequence[CopySection]
    is_cut: bool  # it goes on behind MAX_COPY


def check_copy(page: StoredPage) -> NoCopy | None:
    """Tells why the text may not be read here, None where it may."""
    about = page.front.about
    if about.flag or not page.front.text.octets:
        return NoCopy.NOTHING
    return None if about.archive and page.front.max_snippet is None else NoCopy.OWNER


def make_text_copy(page: StoredPage, matcher: QueryMatcher) -> TextCopy:
    """Makes a copy of the first MAX_COPY characters, what the host repeats among them."""
    return TextCopy(
        url=page.url,
        title=strip_bidi_controls(page.title),
        language=page.language,
        media_type=page.media_type,
        day=page.day,
        fetched_at=datetime.fromtimestamp(page.fetched_at, UTC).isoformat(timespec="seconds"),
        parts=tuple(_copy_sections(page, matcher)),
        is_cut=page.front.text.size > MAX_COPY,
    )


def _copy_sections(page: StoredPage, matcher: QueryMatcher) -> Iterator[CopySection]:
    whole = page.front.text.substring(0, MAX_COPY)
    for start, end, begin, stop in texts.section_offsets(page.front.lengths):
        if start >= MAX_COPY:
            return
        lines = (line.rstrip(CELL_END) for line in whole[begin:stop].split("\n") if line.strip())
        snippets = (highlight(strip_bidi_controls(line), page.language, matcher, len(line)) for line in lines)
        yield CopySection(
            highlight(strip_bidi_controls(whole[start:end]), page.language, matcher, end - start),
            tuple(snippets),
        )
