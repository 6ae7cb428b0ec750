"""A page as a hit shows it: what its host repeats is not in its text."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import accumulate, count, pairwise
from typing import Any, NamedTuple

from engine.config.readable import PDF
from engine.index.filters import day_said
from engine.page import Page
from engine.store import texts
from engine.store.texts import Front, Place, Span

MAX_TERM = 100  # characters of a term; of a longer one its name is the heading, its signature is text

_LETTER = re.compile(r"[^\W\d_]")
_SIGNATURE = re.compile(r"(?<=\w)\(")


@dataclass(frozen=True, slots=True)
class Shown:
    """Texts are cut out when they are asked for; `kept` is as kept() makes it."""

    url: str
    language: str
    media_type: str
    fetched_at: float  # seconds since 1970, UTC
    front: Front
    kept: Sequence[int] | None

    @property
    def title(self) -> str:
        """As the page has it."""
        return self.front.title

    @property
    def day(self) -> str:
        """The date that it says it has, 2024-05-01, '' for none."""
        about = self.front.about
        return day_said(about.modified, about.published, self.fetched_at)

    @property
    def text(self) -> str:
        """Its main part, headings included, without what its host repeats."""
        if self.kept is None:
            return self.front.text
        return self._cut(self._runs())

    @property
    def body(self) -> str:
        """The same without the headings."""
        return self.laid_out(len(self.front.text)).body

    def laid_out(self, limit: int) -> "LaidOut":
        """Where on it what stands, of its first `limit` characters."""
        sections = [place for place in self._places() if place[0] < limit]
        said = [(min(begin, limit), min(stop, limit)) for _, _, begin, stop in sections]
        found = list(_overlap(said, self._runs()))
        spans = [span for span, _ in found]
        starts = list(accumulate((end - start + 1 for start, end in spans[:-1]), initial=0)) if spans else []
        return LaidOut(sections, spans, [section for _, section in found], self._cut(spans), starts)

    def _places(self) -> Iterator[Place]:
        """As texts.places() has them, but that a term is the heading of its section."""
        places = texts.places(self.front.lengths)
        if self.media_type == PDF:  # a fragment is a page there
            return places
        return _with_terms(self.front.text, places, self.front.fragments)

    def _runs(self) -> list[Span]:
        if self.kept is None:
            return [(0, len(self.front.text))]
        edges = list(accumulate(self.kept))
        return list(zip(edges[::2], edges[1::2], strict=True))

    def _cut(self, spans: Collection[Span]) -> str:
        whole = self.front.text
        return "\n".join([whole[start:end] for start, end in spans])


class LaidOut(NamedTuple):
    """Sections as in texts.places(), with terms as headings; spans of the text that are shown, each with the
    number of its section.

    Body is what the spans say, a line for each.
    """

    sections: Sequence[Place]
    spans: Sequence[Span]
    of: Sequence[int]
    body: str
    starts: Sequence[int]  # where in the body each span begins


def shown(stored: Mapping[str, Any]) -> Shown:
    """From the stored fields of a document."""
    return Shown(
        stored["url"],
        stored["language"],
        stored["media_type"],
        stored["fetched_at"],
        texts.front(stored["content"]),
        stored.get("kept"),
    )


def _with_terms(text: str, places: Iterable[Place], fragments: Iterable[str]) -> Iterator[Place]:
    known = {""}
    for place, fragment in zip(places, fragments, strict=True):
        start, begin, _, stop = place
        if start == begin and fragment not in known:
            end = _end_of_term(text, start, stop)
            yield start, end, end + (start < end < stop and text[end] == "\n"), stop
        else:
            yield place
        known.add(fragment)


def _end_of_term(text: str, start: int, stop: int) -> int:
    """Where the term ends with which a section begins; `start` where it does with none, as a footnote."""
    line = text.find("\n", start, stop)
    end = stop if line < 0 else line
    if end - start > MAX_TERM:
        signature = _SIGNATURE.search(text, start, start + MAX_TERM)
        end = signature.start() if signature else start
    return end if _LETTER.search(text, start, end) else start


def kept(page: Page, lines: Collection[int]) -> list[int] | None:
    """How many characters of the text are left out and how many stay, in turn, without the lines in `lines`.

    Those are numbered as in template.own(). None for a page that is shown whole.
    """
    if not lines:
        return None
    taken, numbers = frozenset(lines), count()
    runs: list[int] = []
    at = 0
    for section in page.sections:
        if section.heading:
            _add(runs, (at, at + len(section.heading)))
            at += len(section.heading) + 1
        said = _staying(section.text, at, taken, numbers)
        if len(said) > 1 or (said and said[0][0] < said[0][1]):  # what is empty has no line in Page.text
            for span in said:
                _add(runs, span)
        at += len(section.text) + bool(section.text)
    return [end - start for start, end in pairwise([0, *runs])]


def _staying(text: str, at: int, taken: Set[int], numbers: Iterator[int]) -> list[Span]:
    """Where those of the lines stand whose numbers are not taken; the first begins at `at`."""
    spans = []
    for line, number in zip(text.split("\n"), numbers, strict=False):
        if number not in taken:
            spans.append((at, at + len(line)))
        at += len(line) + 1
    return spans


def _add(runs: list[int], span: Span) -> None:
    """Neighbours, between which there is nothing but the line break, are one run."""
    start, end = span
    if runs and runs[-1] == start - 1:
        runs[-1] = end
    else:
        runs += (start, end)


def _overlap(ones: Sequence[Span], others: Sequence[Span]) -> Iterator[tuple[Span, int]]:
    """What lies in a span of both, each ascending, with the number of that of the ones."""
    one = other = 0
    while one < len(ones) and other < len(others):
        start, end = max(ones[one][0], others[other][0]), min(ones[one][1], others[other][1])
        if start < end:
            yield (start, end), one
        if ones[one][1] < others[other][1]:
            one += 1
        else:
            other += 1
