"""Picks the section at which a hit's link opens, unless the page as a whole answers."""

from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import quote

from engine.index.snippets.matcher import QueryMatcher, contains_all
from engine.index.snippets.passage import Passage
from engine.index.stored_pages import PageLayout, StoredPage, choose_name, match_name

_PLAIN = "!$&'()*+,;=:@/?-._~"  # RFC 3986, 3.5: what a fragment may hold as it is


class SectionLink(NamedTuple):
    """The heading of a section, and the fragment that reaches it, escaped; '' where there is none."""

    heading: str = ""
    fragment: str = ""


def find_section_link(
    page: StoredPage, laid: PageLayout, best: Passage, matcher: QueryMatcher
) -> SectionLink:
    """Finds the section at which a link opens: the one in which the best passage stands.

    The page as a whole answers where its title says all that was asked, unless the section has that for a
    name; where its first section does, and where the words are spread over several sections, of which none
    has more than another. A heading without an id is reached by the nearest before it that has one. A URL
    that has a fragment already keeps that.
    """
    if best.section <= page.first_section or best.spread or "#" in page.url:
        return SectionLink()
    fragments = page.front.fragments
    is_named = match_name(fragments[best.section], matcher.word_numbers) is not None
    if not is_named and contains_all(matcher.query, page.title_terms):
        return SectionLink()
    at = _first_with_id(laid, best.section, fragments)
    if at <= page.first_section:
        return SectionLink()
    fragment = next(filter(None, reversed(fragments[page.first_section + 1 : at + 1])), "")
    return SectionLink(choose_name(laid.heading(at), fragments[at]), escape_fragment(fragment))


def escape_fragment(fragment: str) -> str:
    """Escapes an id as the fragment of a URL; browsers look for it unescaped (HTML, 7.4.6.3)."""
    if fragment.isascii() and fragment.isidentifier():  # as most are; it costs a tenth
        return fragment
    return quote(fragment, safe=_PLAIN, errors="replace")


def _first_with_id(laid: PageLayout, section: int, fragments: Sequence[str]) -> int:
    """Finds the section itself, or that which goes on there behind a list: the first with its id."""
    start, end = laid.sections[:2, section]
    return section if end > start or not fragments[section] else fragments.index(fragments[section])
