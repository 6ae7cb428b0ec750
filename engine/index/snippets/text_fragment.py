"""Makes text directives: links scroll to the passage where no anchor is near (WICG, Scroll To Text Fragment).

A browser looks for words as they are rendered. `start` and `end` may not reach from one block into another,
nor over a line break of preformatted text, so both are short; what stands before `start` may.
"""

from urllib.parse import quote, unquote

from engine.formats import HTML, PLAIN, XHTML
from engine.index.snippets.lines import SENTENCE, find_word, is_sentence_end
from engine.index.snippets.passage import Passage
from engine.index.snippets.section import find_text_begin
from engine.index.stored_pages import PageLayout, StoredPage
from engine.model import CELL_END

SCREEN = 2_000  # characters: what a reader sees at once, or nearly
AROUND = 300  # characters before and behind a place among which its sentence is looked for
WHOLE = 80  # characters of a text that stands in a link as it is
LONGEST = 300  # characters of one that has fewer words than WORDS, as where they have no spaces between them
WORDS = 5  # with which a longer one begins and ends
BEFORE = 4  # words before it, where it stands elsewhere as well

_MEDIA_TYPES = frozenset(["", HTML, XHTML, PLAIN])  # that browsers show as text


def make_text_directive(page: StoredPage, laid: PageLayout, best: Passage, fragment: str) -> str:
    """Makes the directive of a link with this fragment, '' where it leads near enough, or none can be found.

    A URL that has a fragment already keeps that. An owner who lets little be shown lets nothing stand there.
    """
    if page.media_type not in _MEDIA_TYPES or "#" in page.url or page.front.max_snippet is not None:
        return ""
    if best.section < 0:
        return ""
    has_anchor = best.section <= page.first_section or bool(fragment or page.front.fragments[best.section])
    anchor = _anchor_place(page, laid, best.section, fragment)
    if has_anchor and laid.sections[3, best.section] - anchor <= SCREEN:  # as most are
        return ""
    place = laid.find_place(best.start)
    return "" if has_anchor and place - anchor <= SCREEN else _quote_passage(page, place)


def _quote_passage(page: StoredPage, place: int) -> str:
    """Quotes the sentence around a place of the text, with words before it if they are needed."""
    first = max(0, place - AROUND)
    near = page.front.text.substring(first, place + AROUND)
    start, end = _sentence_around(near, place - first)
    if start == 0 < first:  # it begins before what was looked at
        start = find_word(near, 0)
    if end == 2 * AROUND:  # it may go on
        end = max(start, near.rfind(" ", start, end))
    begin, ending = _edge_words(near[start:end])
    if begin and not _is_first(page, begin, first + start):
        before, between = _words_before(near, start)
        is_found = before and _is_first(
            page, f"{before}{between}{begin}", first + start - len(before + between)
        )
        return _encode_directive(before, begin, ending) if is_found else ""
    return _encode_directive("", begin, ending) if begin else ""


def _anchor_place(page: StoredPage, laid: PageLayout, section: int, fragment: str) -> int:
    """Finds where in the text a link opens, at an anchor of the section if it is no section's own: at its
    beginning without a fragment.
    """
    if not fragment:
        return 0
    anchor = unquote(fragment)
    if anchor in page.front.fragments:
        return int(laid.sections[0, page.front.fragments.index(anchor)])
    places = (place for place, one in page.front.section_anchors(section) if one == anchor)
    return find_text_begin(page, laid, section) + next(places, 0)


def _sentence_around(near: str, place: int) -> tuple[int, int]:
    """Finds where the sentence begins and ends in which a place is, within its block."""
    first = near.rfind("\n", 0, place) + 1
    last = near.find("\n", place)
    gap = SENTENCE.search(near, place, len(near) if last < 0 else last)
    end = gap.start() + len(gap[0].rstrip()) if gap else len(near) if last < 0 else last
    for before in SENTENCE.finditer(near, first, place):
        first = before.end()
    return first, first + len(near[first:end].rstrip(f" {CELL_END}"))


def _edge_words(text: str) -> tuple[str, str]:
    """Returns a text, and '', or with how many words a longer one begins and ends: these where it is one."""
    words = text.split(" ")
    if len(text) <= WHOLE or len(words) <= 2 * WORDS:
        return (text, "") if len(text) <= LONGEST else ("", "")
    begin, ending = " ".join(words[:WORDS]), " ".join(words[-WORDS:])
    if max(len(begin), len(ending)) > LONGEST:
        return "", ""
    return begin, ending if is_sentence_end(text) else ""


def _words_before(near: str, start: int) -> tuple[str, str]:
    """Returns the last words before a place that stand in one block, and what is between them and it."""
    before = near[:start].rstrip()
    words = " ".join(before[before.rfind("\n") + 1 :].split(" ")[-BEFORE:])
    return (words, near[len(before) : start]) if len(words) <= LONGEST else ("", "")


def _is_first(page: StoredPage, text: str, place: int) -> bool:
    """Tells whether a text stands nowhere on the page before a place, nor in its menus."""
    octets, quoted = page.front.text.octets, text.encode()
    if octets.find(quoted, 0, len(page.front.text.first_octets(place)) + len(quoted) - 1) >= 0:
        return False
    return quoted.replace(b"\\", rb"\\").replace(b'"', rb"\"") not in page.front.rest


def _encode_directive(before: str, start: str, end: str) -> str:
    parts = [f"{_encode(before)}-" if before else "", _encode(start), _encode(end) if end else ""]
    return "text=" + ",".join(filter(None, parts))


def _encode(text: str) -> str:
    """Percent-encodes what has a meaning in a directive: all but letters, digits and dots."""
    if text.isascii() and text.replace(" ", "").replace(".", "").isalnum():  # it costs a tenth
        return text.replace(" ", "%20")
    return quote(text, safe="", errors="replace").replace("-", "%2D")
