"""Reads a stored page as a hit shows it, without what its host repeats."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, count, pairwise
from typing import Any

from engine.formats import PDF
from engine.index.schema import stated_day
from engine.index.stored_pages.page_front import PageFront, Span, unpack_front
from engine.index.stored_pages.page_layout import MAX_TEXT, PageLayout, lay_out
from engine.index.stored_pages.section_ids import strip_lines
from engine.model import Page
from engine.text.analysis import distinct_terms, simplify_letters

_BETWEEN_WORDS = re.compile(r"\W+")
SECTION = 400  # bytes: lengths and places of a section, and its fragment
RUN = 60  # bytes: how long it is, and its share of a span
TITLE = 1_000  # bytes: its terms


@dataclass(frozen=True)
class StoredPage:
    """Texts are cut out when they are asked for; `kept` is as encode_kept_runs() makes it."""

    url: str
    language: str
    media_type: str
    fetched_at: float  # seconds since 1970, UTC
    front: PageFront
    kept: Sequence[int] | None

    @property
    def title(self) -> str:
        """As the page has it."""
        return self.front.title

    @property
    def day(self) -> str:
        """The date that it says it has, 2024-05-01, '' for none."""
        about = self.front.about
        return stated_day(about.modified, about.published, self.fetched_at)

    @property
    def text(self) -> str:
        """Its main part, headings included, without what its host repeats."""
        whole, edges = self.front.text.octets.decode(), list(accumulate(self._runs))
        return "\n".join([whole[start:end] for start, end in zip(edges[::2], edges[1::2], strict=True)])

    @property
    def nbytes(self) -> int:
        """The memory that it takes, about, with what is asked of it."""
        parts = SECTION * (self.front.sizes.count(b",") // 2 + 1) + RUN * len(self.kept or ())
        return len(self.front.text.octets) + len(self.front.rest) + parts + TITLE

    @cached_property
    def searched_layout(self) -> PageLayout:
        """Where on it what stands, of as much as is searched for passages."""
        return self.lay_out(MAX_TEXT)

    @cached_property
    def title_terms(self) -> frozenset[str]:
        """The terms of its title."""
        return distinct_terms(self.title, self.language)

    @cached_property
    def title_words(self) -> frozenset[str]:
        """The words of its title as they are, folded; what an underscore joins is one."""
        return frozenset(_BETWEEN_WORDS.split(self.title.casefold()))

    @cached_property
    def own_terms(self) -> frozenset[str]:
        """The terms of its title, and of the id of the section with which it begins: "module-asyncio"."""
        first = self.front.fragments[self.first_section] if self.front.fragments else ""
        return self.title_terms | distinct_terms(first, self.language)

    @cached_property
    def ids(self) -> str:
        """Those of its sections, as strip_lines() has them."""
        return strip_lines(self.front.fragments)

    @cached_property
    def first_section(self) -> int:
        """The section with which it begins: before all headings, or under one that says the title."""
        laid = self.searched_layout
        if laid.sections.shape[1] < 2:
            return 0
        first = laid.spans[2, :1].tolist()
        return int(
            not first or first[0] > 0 or simplify_letters(laid.heading(1)) in simplify_letters(self.title)
        )

    def lay_out(self, limit: int) -> PageLayout:
        """Lays out the first `limit` characters of its text."""
        return lay_out(self.front.text, self.front.lengths, self._may_begin_with_term(), self._runs, limit)

    def _may_begin_with_term(self) -> list[bool]:
        """Tells of each section whether a term may be its first line: where it has its own id, no heading."""
        if self.media_type == PDF:  # a fragment is a page there
            return [False] * len(self.front.fragments)
        known, found = {""}, []
        for fragment, heading in zip(self.front.fragments, self.front.lengths[::2], strict=True):
            found.append(not heading and fragment not in known)
            known.add(fragment)
        return found

    @property
    def _runs(self) -> Sequence[int]:
        return (0, self.front.text.size) if self.kept is None else self.kept


def unpack_page(stored: Mapping[str, Any]) -> StoredPage:
    """Unpacks a page from the stored fields of a document."""
    return StoredPage(
        stored["url"],
        stored["language"],
        stored["media_type"],
        stored["fetched_at"],
        unpack_front(stored["content"]),
        stored.get("kept"),
    )


def encode_kept_runs(page: Page, lines: Collection[int]) -> list[int] | None:
    """Encodes how many characters of the text are left out and how many stay, in turn, without the `lines`.

    Those are numbered as in template.move_repeated(). None for a page that is shown whole.
    """
    if not lines:
        return None
    taken, numbers = frozenset(lines), count()
    runs: list[int] = []
    at = 0
    for section in page.sections:
        if section.heading:
            _append_span(runs, (at, at + len(section.heading)))
            at += len(section.heading) + 1
        spans = _kept_lines(section.text, at, taken, numbers)
        if len(spans) > 1 or (spans and spans[0][0] < spans[0][1]):  # what is empty has no line in Page.text
            for span in spans:
                _append_span(runs, span)
        at += len(section.text) + bool(section.text)
    return [end - start for start, end in pairwise([0, *runs])]


def _kept_lines(text: str, at: int, taken: Set[int], numbers: Iterator[int]) -> list[Span]:
    """Finds where those of the lines stand whose numbers are not taken; the first begins at `at`."""
    spans = []
    for line, number in zip(text.split("\n"), numbers, strict=False):
        if number not in taken:
            spans.append((at, at + len(line)))
        at += len(line) + 1
    return spans


def _append_span(runs: list[int], span: Span) -> None:
    """Appends a span; neighbours, between which there is nothing but the line break, are one run."""
    start, end = span
    if runs and runs[-1] == start - 1:
        runs[-1] = end
    else:
        runs += (start, end)
