"""Where on a page a hit's link opens: at the section that answers, unless the page as a whole does."""

from typing import NamedTuple
from urllib.parse import quote

from engine.index.passage import Passage
from engine.index.query import Query
from engine.index.shown import LaidOut, Shown
from engine.index.sought import says_all
from engine.text.accents import simplified
from engine.text.analysis import terms_of

_PLAIN = "!$&'()*+,;=:@/?-._~"  # RFC 3986, 3.5: what a fragment may hold as it is


class Opening(NamedTuple):
    """The heading of a section, and the fragment that reaches it, escaped; '' where there is none."""

    heading: str = ""
    fragment: str = ""


def opening(page: Shown, laid: LaidOut, best: Passage, query: Query) -> Opening:
    """The section in which the best passage stands.

    The page as a whole answers where its title says all that was asked, where its first section does, and
    where the words are spread over several sections, of which none has more than another. A heading without
    an id is reached by the nearest before it that has one. A URL that has a fragment already keeps that.
    """
    first = _first(page, laid)
    if best.section <= first or best.spread or "#" in page.url:
        return Opening()
    if says_all(query, terms_of(page.title, page.language)):
        return Opening()
    start, end, *_ = laid.sections[best.section]
    fragments = page.front.fragments[first + 1 : best.section + 1]
    return Opening(page.front.text[start:end], escaped(next(filter(None, reversed(fragments)), "")))


def escaped(fragment: str) -> str:
    """An id as the fragment of a URL; browsers look for it unescaped (HTML, 7.4.6.3)."""
    return quote(fragment, safe=_PLAIN, errors="replace")


def _first(page: Shown, laid: LaidOut) -> int:
    """The section with which the page begins: before all headings, or under one that says the title."""
    start, end, *_ = laid.sections[1] if len(laid.sections) > 1 else (0, 0)
    heading = simplified(page.front.text[start:end])
    begins = heading in simplified(page.title) or not laid.of or laid.of[0] > 0
    return int(len(laid.sections) > 1 and begins)
