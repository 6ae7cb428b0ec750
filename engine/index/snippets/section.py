"""Picks the section at which a hit's link opens, unless the page as a whole answers."""

from bisect import bisect_right
from collections.abc import Sequence
from operator import attrgetter
from typing import NamedTuple
from urllib.parse import quote

from engine.formats import PDF
from engine.index.snippets.matcher import QueryMatcher, contains_all
from engine.index.snippets.names import WHOLE
from engine.index.snippets.passage import Passage
from engine.index.stored_pages import (
    PageLayout,
    StoredPage,
    choose_name,
    find_named_sections,
    match_id,
    match_name,
    strip_lines,
)
from engine.model import SectionAnchor

FAR = 1_000  # characters: about a screen
_PLACE = attrgetter("place")
_PLAIN = "!$&'()*+,;=:@/?-._~"  # RFC 3986, 3.5: what a fragment may hold as it is


class SectionLink(NamedTuple):
    """The heading of a section, and the fragment that reaches it, escaped; '' where there is none."""

    heading: str = ""
    fragment: str = ""


def find_section_link(
    page: StoredPage, laid: PageLayout, best: Passage, matcher: QueryMatcher
) -> SectionLink:
    """Finds the section at which a link opens: the one in which the best passage stands.

    The page as a whole answers where its title and its first id say all that was asked, unless the section
    has that for a name; where the words are spread over several sections, of which none has more than
    another; and where its first section does, unless an anchor stands FAR from its beginning. A URL that has
    a fragment keeps that. Of the anchors in the section that is opened whose id is a name in the query, or
    that begins what all of the query is called, or else the nearest before the passage, or else the first
    behind it: never one of another section.
    """
    if best.section < 0 or best.spread or "#" in page.url:
        return SectionLink()
    fragments = page.front.fragments
    if contains_all(matcher.query, page.own_terms) and not _is_name(page, fragments[best.section], matcher):
        return SectionLink()
    at = _first_with_id(laid, best.section, fragments)
    anchor = _choose_anchor(page, laid, best, matcher)
    if at <= page.first_section:
        far = 0 if page.media_type == PDF else FAR  # there it is another page
        return SectionLink("", escape_fragment(anchor.fragment)) if anchor.place > far else SectionLink()
    own = fragments[at]
    ends_page = page.media_type == PDF and anchor.fragment  # its heading: the text is on the next one
    fragment = own if own and anchor.place == 0 and not ends_page else anchor.fragment
    return SectionLink(choose_name(laid.heading(at), own), escape_fragment(fragment))


def escape_fragment(fragment: str) -> str:
    """Escapes an id as the fragment of a URL; browsers look for it unescaped (HTML, 7.4.6.3)."""
    if fragment.isascii() and fragment.isidentifier():  # as most are; it costs a tenth
        return fragment
    return quote(fragment, safe=_PLAIN, errors="replace")


def _is_name(page: StoredPage, fragment: str, matcher: QueryMatcher) -> bool:
    """Tells whether an id is a name of several parts in the query, or all of it and no word of the title."""
    if match_name(fragment, matcher.word_numbers) is not None:
        return True
    named = match_id(fragment, matcher.word_numbers)
    if named is None or named.share < WHOLE:
        return False
    return not page.title_words.issuperset(matcher.word_numbers)


def _choose_anchor(page: StoredPage, laid: PageLayout, best: Passage, matcher: QueryMatcher) -> SectionAnchor:
    """Chooses the anchor to open in a section; at 0 where there is none but the section's own id."""
    found = page.front.section_anchors(best.section)
    if not found:
        return SectionAnchor(0, "")
    own, begin = page.front.fragments[best.section], find_text_begin(page, laid, best.section)
    if page.media_type != PDF:  # there they are pages, which have no names
        if named := _find_named(found, own, matcher):
            return named
        text = laid.text.substring(begin, int(laid.sections[3, best.section]))
        for anchor in found:
            if matcher.is_whole_at(text, anchor.place):
                return anchor
    if before := bisect_right(found, laid.find_place(best.start) - begin, key=_PLACE):
        return found[before - 1]
    return SectionAnchor(0, "") if own else found[0]


def find_text_begin(page: StoredPage, laid: PageLayout, section: int) -> int:
    """Finds where the text of a section begins, in which the places of its anchors are: a term is text."""
    return int(laid.sections[2 if page.front.lengths[2 * section] else 0, section])


def _find_named(anchors: Sequence[SectionAnchor], own: str, matcher: QueryMatcher) -> SectionAnchor | None:
    """Finds the anchor whose id says most of the query, if it says more than the section's own."""
    fragments = [own, *(fragment for _, fragment in anchors)]
    named = find_named_sections(fragments, strip_lines(fragments), matcher.word_numbers)
    counts = {at: len(one.numbers) for at, one in named}
    most = max(counts, key=counts.__getitem__, default=0)
    return anchors[most - 1] if counts.get(most, 0) > counts.get(0, 0) else None


def _first_with_id(laid: PageLayout, section: int, fragments: Sequence[str]) -> int:
    """Finds the section itself, or that which goes on there behind a list: the first with its id."""
    start, end = laid.sections[:2, section].tolist()
    return section if end > start or not fragments[section] else fragments.index(fragments[section])
