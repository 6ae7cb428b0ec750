"""Cuts the pages of a PDF into sections where its outline leads.

Without an outline a page is a section. With one, a section begins at each entry and goes on over the pages
that follow: its heading stands once in the index, and a sentence that a page's end parts is one passage. Each
page on which it goes on is an anchor in it, so that a hit opens at the page on which its passage begins.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from engine.model import Section, SectionAnchor

FEWEST_LETTERS = 4  # of the line with which a heading of several lines begins
MAX_HEADING_LINES = 4  # over which a heading is set
MAX_OCCURRENCES = 16  # of such a first line on one page that are looked at
NEAR = 3  # lines: so far from the place of its destination a line that says the heading is the heading


class OutlineTarget(NamedTuple):
    """A heading of the outline, and the lines of the page from where it leads, none where that is not known.

    Before them may be what reaches down there of the line above.
    """

    heading: str
    lines: Sequence[str]


class PageText(NamedTuple):
    """The lines of a page, what the outline has for it, and the alternative texts of its figures."""

    lines: Sequence[str]
    targets: Sequence[OutlineTarget]
    alternatives: Sequence[str]


class _Start(NamedTuple):
    """Where a section begins: with a line, or where its heading was one, behind that."""

    line: int
    text: int
    heading: str


class _OpenSection:
    """A section that is still going on."""

    def __init__(self, heading: str, fragment: str, text: str) -> None:
        self.heading = heading
        self._fragment = fragment
        self._texts = [text] if text else []
        self._length = len(text)
        self._anchors: list[SectionAnchor] = []

    def go_on(self, fragment: str, text: str) -> None:
        """Adds what stands on the next page."""
        if not text:
            return
        place = self._length + 1 if self._texts else 0
        self._anchors.append(SectionAnchor(place, fragment))
        self._texts.append(text)
        self._length = place + len(text)

    def close(self) -> Section:
        return Section(self.heading, self._fragment, "\n".join(self._texts), tuple(self._anchors))


def build_sections(pages: Sequence[PageText]) -> Iterator[Section]:
    """Builds the sections; the first has no heading and is there in any case."""
    section = _OpenSection("", "page=1", "")
    for n, page in enumerate(pages):
        fragment = f"page={n + 1}"
        starts = _find_starts(page.lines, page.targets)
        ends = [*(start.line for start in starts), len(page.lines)]
        texts = [list(page.lines[: ends[0]])]
        texts += (list(page.lines[one.text : end]) for one, end in zip(starts, ends[1:], strict=True))
        texts[-1] += page.alternatives
        before, *others = ("\n".join(text) for text in texts)
        if section.heading:
            section.go_on(fragment, before)
        elif not n:
            section = _OpenSection("", fragment, before)
        elif before:
            yield section.close()
            section = _OpenSection("", fragment, before)
        for start, text in zip(starts, others, strict=True):
            yield section.close()
            section = _OpenSection(start.heading, fragment, text)
    yield section.close()


def line_key(text: str) -> str:
    """Reduces a line to letters and digits: outlines have other spaces, dots and capitals than pages."""
    return "".join(filter(str.isalnum, text)).casefold()


def _find_starts(lines: Sequence[str], targets: Sequence[OutlineTarget]) -> list[_Start]:
    """Finds where on a page sections begin, in its order.

    Where no line can be found for them the first begins at its top, and the others at its end.
    """
    if not targets:
        return []
    keys = [line_key(line) for line in lines]
    places: dict[str, list[int]] = {}
    for n, key in enumerate(keys):
        for spelling in {key, _without_number(key)}:
            places.setdefault(spelling, []).append(n)
    known = _Lines(keys, places)
    found: list[_Start] = []
    least = 0  # the line behind the heading before
    for heading, near in targets:
        begin, text = (
            _find_start(known, line_key(heading), [*map(line_key, near)], least)
            or (len(lines) if found else 0,) * 2
        )
        found.append(_Start(begin, text, heading))
        least = max(least, text)
    return _without_overlaps(sorted(found, key=lambda start: start.line))


class _Lines(NamedTuple):
    """The letters and digits of each line of a page, and at which lines each such key stands."""

    keys: Sequence[str]
    places: Mapping[str, Sequence[int]]


def _find_start(lines: _Lines, heading: str, near: Sequence[str], least: int) -> tuple[int, int] | None:
    """Finds the line that says a heading, and that behind it, or else twice the first of those `near`.

    Of several the nearest to that, or to `least`. None where neither can be found.
    """
    at = _find_line(lines, near)
    said = _find_heading(lines, heading, least if at is None else at)
    if said is None or (at is not None and abs(said[0] - at) > NEAR):
        return None if at is None else (at, at)
    return said


def _find_line(lines: _Lines, near: Sequence[str]) -> int | None:
    """Finds the first of some lines that is one of the page's; of several that which the others follow."""
    for n, key in enumerate(near):
        if key and (found := lines.places.get(key)):
            behind = near[n + 1 :]
            follows = (
                at for at in found[:MAX_OCCURRENCES] if lines.keys[at + 1 : at + 1 + len(behind)] == behind
            )
            return next(follows, found[0])
    return None


def _find_heading(lines: _Lines, heading: str, near: int) -> tuple[int, int] | None:
    """Finds the lines that say a heading: the first, and that behind the last."""
    for spelling in (heading, _without_number(heading)):
        if spelling and (found := lines.places.get(spelling)):
            at = _nearest(found, near)
            return at, at + 1
    for length in range(len(heading) - 1, FEWEST_LETTERS - 1, -1):
        for at in lines.places.get(heading[:length], ())[:MAX_OCCURRENCES]:
            if end := _end_of_heading(lines.keys, at, heading):
                return at, end
    return None


def _nearest(found: Sequence[int], near: int) -> int:
    """Returns that of line numbers in order which is nearest to another."""
    behind = bisect_left(found, near)
    return min(found[max(0, behind - 1) : behind + 1], key=lambda at: abs(at - near))


def _end_of_heading(keys: Sequence[str], at: int, heading: str) -> int:
    """Returns the line behind a heading of several lines, 0 where they say something else."""
    said = ""
    for end in range(at, min(at + MAX_HEADING_LINES, len(keys))):
        said += keys[end]
        if said == heading:
            return end + 1
        if not heading.startswith(said):
            break
    return 0


def _without_overlaps(starts: Sequence[_Start]) -> list[_Start]:
    """Lets no line be in two sections, as where two entries lead to one line: it is the last one's text."""
    found: list[_Start] = []
    for start in starts:
        line = max(start.line, found[-1].text) if found else start.line
        found.append(start._replace(line=line, text=max(start.text, line)))
    return found


def _without_number(key: str) -> str:
    """Returns a key without the number of its section; a heading of digits alone keeps them."""
    return key.lstrip("0123456789") or key
