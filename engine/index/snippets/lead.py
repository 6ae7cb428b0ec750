"""Finds the lead of a page: what it says first of what it is about."""

import re

from engine.index.snippets.lines import NAVIGATION, has_sentence_end
from engine.index.snippets.matcher import QueryMatcher, contains_all
from engine.index.stored_pages import PageLayout, StoredPage
from engine.model import CELL_END
from engine.text.analysis import has_spaceless, simplify_letters

LOOKED = 4_000  # characters of the body among which the first prose is looked for
MAX_LINE = 300  # characters of a line that tell what it is
SENTENCE = 40  # characters of a line that is prose without a full stop, as a manual's NAME is
WORDS = 5  # of a line that is prose
SPACELESS = 15  # characters of one that is written without spaces
PLAIN = 0.75  # of what stands between its spaces are words; in code and lists of options fewer are

_LINE = re.compile(r"[^\n]+")
_LETTER = re.compile(r"[^\W\d_]")
_CODE = re.compile(r"[\d_<>{}\[\]=*#$&\\|@~^`+]|--|\(\)")


def is_about(page: StoredPage, matcher: QueryMatcher) -> bool:
    """Tells whether the title says all that was asked; a phrase in quotation marks is looked for itself."""
    return not matcher.has_quoted_phrase and contains_all(matcher.query, page.title_terms)


def find_description(page: StoredPage) -> str:
    """Returns what the owner says that the page is about, '' where that is no sentence."""
    described = page.front.description
    return described if is_prose(described, page.title) else ""


def find_first_prose(page: StoredPage, laid: PageLayout) -> int | None:
    """Finds where the first prose of the body begins, None where its beginning has none."""
    for line in _LINE.finditer(laid.cut_body(0, LOOKED)):
        if is_prose(line[0].rstrip(CELL_END), page.title):
            return line.start()
    return None


def is_prose(line: str, title: str) -> bool:
    """Tells whether a line says something in words: no title, menu, code, or list of names."""
    line, spaceless = line[:MAX_LINE], has_spaceless(line[:MAX_LINE])
    if not (spaceless or len(line) >= SENTENCE or has_sentence_end(line)):
        return False
    words = line.split()
    if len(words) < WORDS and not (spaceless and len(line) >= SPACELESS):
        return False
    plain = [word for word in words if _LETTER.search(word) and not _CODE.search(word)]
    if len(plain) < PLAIN * len(words) or NAVIGATION.match(line):
        return False
    return simplify_letters(line) not in simplify_letters(title)
