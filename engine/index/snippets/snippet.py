"""Makes the lines shown under a hit: the best passage, with its matches marked."""

import re
from typing import NamedTuple

from engine.index.snippets.match_positions import find_matches
from engine.index.snippets.matcher import QueryMatcher
from engine.index.snippets.passage import LENGTH, Passage, find_passage
from engine.index.snippets.section import find_section_link
from engine.index.stored_pages import PageLayout, StoredPage
from engine.text.analysis import (
    MAX_CLUSTER,
    next_grapheme_boundary,
    previous_grapheme_boundary,
    strip_bidi_controls,
)

LEAD = 60  # characters before the first word, where no sentence begins near it
NEAR = 120  # characters back to the beginning of a sentence
ENOUGH = 80  # characters; a section that says less is shown with the beginning of the next
MAX_SLACK = 24  # characters given up at an edge to end it between words

_SENTENCE = re.compile(r"(?:[.!?…؟।۔][\"'”’»)\]]*\s+|[。！？][”’」』）]*\s*|\n)(?=\S)")
"""What stands before a sentence, or before a line, which is a block of the page."""


class Snippet(NamedTuple):
    """Plain text, the spans (start, end) in it that the query's words cover, and where a link leads."""

    text: str
    marks: tuple[tuple[int, int], ...] = ()
    section: str = ""  # heading of the section that answers, '' where the page as a whole does
    fragment: str = ""  # by which a link reaches it, escaped; '' for none


def make_snippet(page: StoredPage, matcher: QueryMatcher) -> Snippet:
    """Makes the best passage; where the query has no word on the page, its description or its beginning.

    Neither it nor the heading is longer than the page's owner permits (max-snippet, nosnippet).
    """
    permitted, description = page.front.max_snippet, page.front.description
    limit = LENGTH + len("…  …") if permitted is None else permitted
    laid = page.searched_layout
    best = find_passage(find_matches(page, laid, matcher), matcher, laid.size)
    if best.section < 0 and description:
        line = _trim_line(description, 0, len(description), within=False)
        return highlight(line, page.language, matcher, limit)
    found = highlight(_cut_line(laid, best), page.language, matcher, limit)
    heading, fragment = find_section_link(page, laid, best, matcher)
    return found._replace(
        section="" if permitted is not None and len(heading) > permitted else heading, fragment=fragment
    )


def _cut_line(laid: PageLayout, best: Passage) -> str:
    """Cuts the line with the passage from the body: whole sentences, as far as there is room."""
    first, behind = _section_bounds(laid, best)
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


def _section_bounds(laid: PageLayout, best: Passage) -> tuple[int, int]:
    """Finds where the section of the body begins and ends in which the passage stands."""
    if best.section < 0:
        return 0, laid.size
    _, _, of, at = laid.spans
    section = of[at.searchsorted(best.start, side="right") - 1]
    start, end, _, last = laid.spans[:, of.searchsorted(section, side="right") - 1].tolist()
    return int(at[of.searchsorted(section)]), last + end - start


def _find_sentences(body: str, lowest: int, at: int) -> list[int]:
    """Finds where sentences begin from `lowest` to `at`, ascending."""
    found = [lowest] if lowest == 0 or body[lowest - 1] == "\n" else []
    gaps = _SENTENCE.finditer(body, max(0, lowest - 1), at + 1)
    return found + [
        gap.end()
        for gap in gaps
        if lowest < gap.end() <= at and ("\n" in gap[0] or not body[gap.end()].islower())
    ]


def _trim_line(text: str, start: int, behind: int, *, within: bool) -> str:
    """Trims a text to one line, cut between words, with an ellipsis where something is cut.

    behind: where the text ends that might be shown; within: a sentence is cut at the beginning.
    """
    end = min(behind, start + LENGTH)
    if within:
        edge = re.search(r"(?<=\s)\S", text[start : start + MAX_SLACK])
        start = start + edge.start() if edge else next_grapheme_boundary(text, start)
    if end < behind:
        edges = [gap.start() for gap in re.finditer(r"\s", text[end - MAX_SLACK : end + 1])]
        end = end + edges[-1] - MAX_SLACK if edges else previous_grapheme_boundary(text, end)
    trimmed = " ".join(strip_bidi_controls(text[start:end]).split())
    return f"{'… ' if within else ''}{trimmed}{' …' if end < behind else ''}"


def highlight(line: str, language: str, matcher: QueryMatcher, limit: int) -> Snippet:
    """Highlights the matches in as many characters of a line as may be shown; pairs of Chinese letters that
    touch are one.
    """
    text = line[: previous_grapheme_boundary(line, limit)]
    marks: list[tuple[int, int]] = []
    may_part = not text.replace("…", "").isascii()  # of ASCII each character of a line is a whole one
    for start, end in matcher.find_marks(text, language):
        if may_part:
            start, end = previous_grapheme_boundary(text, start), next_grapheme_boundary(text, end)
        if marks and start <= marks[-1][1]:
            start, end = marks[-1][0], max(end, marks.pop()[1])
        marks.append((start, end))
    return Snippet(text, tuple(marks))
