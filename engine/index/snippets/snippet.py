"""Makes the lines shown under a hit: the best passage, with its matches marked."""

from typing import NamedTuple

from engine.index.snippets.lead import find_description, find_first_prose, is_about
from engine.index.snippets.lines import BEFORE, BEHIND, SENTENCE, cut_line, find_word, is_ascii, join_lines
from engine.index.snippets.match_positions import find_matches
from engine.index.snippets.matcher import QueryMatcher
from engine.index.snippets.passage import LENGTH, Passage, find_passage
from engine.index.snippets.section import find_section_link
from engine.index.snippets.text_fragment import make_text_directive
from engine.index.stored_pages import PageLayout, StoredPage
from engine.text.analysis import (
    MAX_CLUSTER,
    next_grapheme_boundary,
    previous_grapheme_boundary,
)

LEAD = 60  # characters before the first word, where no sentence begins near it
NEAR = 120  # characters back to the beginning of a sentence
ENOUGH = 80  # characters; a section that says less is shown with the beginning of the next


class Snippet(NamedTuple):
    """Plain text, the spans (start, end) in it that the query's words cover, and where a link leads."""

    text: str
    marks: tuple[tuple[int, int], ...] = ()
    section: str = ""  # heading of the section that answers, '' where the page as a whole does
    fragment: str = ""  # by which a link reaches it, escaped; '' for none
    text_directive: str = ""  # by which a link reaches the passage, '' where that is not needed


def make_snippet(page: StoredPage, matcher: QueryMatcher) -> Snippet:
    """Makes the best passage; the lead where the page as a whole answers, or has no word of the query.

    Neither it nor the heading is longer than the page's owner permits (max-snippet, nosnippet).
    """
    permitted = page.front.max_snippet
    limit = LENGTH + len(BEFORE + BEHIND) if permitted is None else permitted
    laid = page.searched_layout
    best = find_passage(find_matches(page, laid, matcher), matcher, laid.size)
    heading, fragment = find_section_link(page, laid, best, matcher)
    line = ""
    if best.section < 0 and any(matcher.find_marks(page.front.description, page.language)):
        line = _trim_line(page.front.description)
    elif best.section < 0 or (not heading and not fragment and is_about(page, matcher)):
        line = _cut_lead(page, laid)
    text, marks, *_ = highlight(line or _cut_passage(laid, best), page.language, matcher, limit)
    section = "" if permitted is not None and len(heading) > permitted else heading
    directive = "" if line else make_text_directive(page, laid, best, fragment)
    return Snippet(text, marks, section, fragment, directive)


def _cut_lead(page: StoredPage, laid: PageLayout) -> str:
    """Cuts the owner's description or else the first prose of the body; '' where there is neither."""
    if described := find_description(page):
        return _trim_line(described)
    start = find_first_prose(page, laid)
    if start is None:
        return ""
    behind = _section_bounds(laid, start)[1]
    near = laid.cut_body(start, start + LENGTH + MAX_CLUSTER)
    return _trim_line(near, 0, (behind if behind - start >= ENOUGH else laid.size) - start)


def _cut_passage(laid: PageLayout, best: Passage) -> str:
    """Cuts the line with the passage from the body: whole sentences, as far as there is room."""
    first, behind = _section_bounds(laid, best.start) if best.section >= 0 else (0, laid.size)
    at = max(0, best.start - LENGTH - MAX_CLUSTER)  # nothing farther away is looked at
    near = laid.cut_body(at, best.start + LENGTH + MAX_CLUSTER)
    start, end, lowest = best.start - at, best.end - at, first - at
    if behind - best.start < LENGTH // 2:
        starts = _find_sentences(near, max(lowest, behind - at - LENGTH), start)[:1]
    else:
        starts = _find_sentences(near, max(lowest, end - LENGTH, start - NEAR), start)[-1:]
    begin = starts[0] if starts else max(lowest, start - LEAD)
    return _trim_line(
        near, begin, (behind if behind - first >= ENOUGH else laid.size) - at, within=not starts
    )


def _section_bounds(laid: PageLayout, place: int) -> tuple[int, int]:
    """Finds where the section of the body begins and ends in which a place is."""
    _, _, of, at = laid.spans
    span = int(at.searchsorted(place, side="right")) - 1
    first = last = span
    while first > 0 and of[first - 1] == of[span]:
        first -= 1
    while last + 1 < len(of) and of[last + 1] == of[span]:
        last += 1
    start, end, _, begin = laid.spans[:, last].tolist()
    return int(at[first]), begin + end - start


def _find_sentences(body: str, lowest: int, at: int) -> list[int]:
    """Finds where sentences begin from `lowest` to `at`, ascending; where none does, a cell."""
    found = [lowest] if lowest == 0 or body[lowest - 1] == "\n" else []
    gaps = SENTENCE.finditer(body, max(0, lowest - 1), at + 1)
    found += [
        gap.end()
        for gap in gaps
        if lowest < gap.end() <= at and ("\n" in gap[0] or not body[gap.end()].islower())
    ]
    if not found and (cell := body.rfind("\n", lowest, at) + 1):
        found.append(cell)
    return found


def _trim_line(text: str, start: int = 0, behind: int | None = None, *, within: bool = False) -> str:
    """Trims a text to one line, cut between words, with an ellipsis where a sentence is cut.

    behind: where the text ends that might be shown; within: a sentence is cut at the beginning.
    """
    if within:
        start = find_word(text, start)
    last = len(text) if behind is None else behind
    end = min(last, start + LENGTH + MAX_CLUSTER)
    line = join_lines(text[start:end])
    if end < last or len(line) > LENGTH:
        line = cut_line(line, min(LENGTH, len(line) - 1))
    return f"{BEFORE}{line}" if within and line else line


def highlight(line: str, language: str, matcher: QueryMatcher, limit: int) -> Snippet:
    """Highlights the matches in as many characters of a line as may be shown; pairs of Chinese letters that
    touch are one.
    """
    text = line[: previous_grapheme_boundary(line, limit)]
    marks: list[tuple[int, int]] = []
    may_part = not is_ascii(text)  # of ASCII each character of a line is a whole one
    for start, end in matcher.find_marks(text, language):
        if may_part:
            start, end = previous_grapheme_boundary(text, start), next_grapheme_boundary(text, end)
        if marks and start <= marks[-1][1]:
            start, end = marks[-1][0], max(end, marks.pop()[1])
        marks.append((start, end))
    return Snippet(text, tuple(marks))
