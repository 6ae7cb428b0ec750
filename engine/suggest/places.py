"""Finds the page, or the section, to which a completion leads directly."""

import re
from collections.abc import Mapping, Sequence, Set
from typing import NamedTuple

from engine.index.lexicon import Lexicon, PageKey
from engine.index.snippets import escape_fragment
from engine.index.stored_pages import StoredPage
from engine.packing import texts
from engine.text.analysis import simplify_letters, strip_bidi_controls

_NUMBER = re.compile(r"\A\d+(?:\.\d+)*\.? (?=.)")  # of a chapter, before its heading
_CALL = "()"  # behind the name of a function, in links to it
_SIGNS = " :.()¶"  # behind a name, no part of its words


PageName = tuple[PageKey, str]
"""A page, and a name that it has."""


class CompletionTarget(NamedTuple):
    """The URL, with fragment, that a completion leads to; and of a section the title of its page."""

    address: str
    page_title: str = ""

    @property
    def nbytes(self) -> int:
        """The memory that it takes."""
        return len(self.address) + len(self.page_title)


NOWHERE = CompletionTarget("")


def find_targets(lexicon: Lexicon, names: Set[PageName]) -> Mapping[PageName, CompletionTarget]:
    """Finds the targets of names of pages; a page is read once for each of its names that is offered."""
    cache = lexicon.cache
    found = {
        one: target for one in names if isinstance(target := cache.peek(("place", one)), CompletionTarget)
    }
    new = names - found.keys()
    pages = lexicon.read_pages({page for page, _ in new})
    for page, name in new:
        found[page, name] = _locate_name(pages[page], name)
        cache.put(("place", (page, name)), found[page, name])
    return found


def fold_words(name: str) -> str:
    """Folds a name to its words: letters simplified, no sign behind it, no number of a chapter before it."""
    return _NUMBER.sub("", " ".join(simplify_letters(name).split())).rstrip(_SIGNS)


def _locate_name(page: StoredPage, name: str) -> CompletionTarget:
    """Locates a name: what its title begins with is the page as a whole, and so are its first heading, if
    the title says that, and what no link on it reaches.
    """
    front = page.front
    if "#" in page.url or _line(front.title).startswith(name):
        return CompletionTarget(page.url)
    words = fold_words(name)
    at = _find_heading(page, words)
    if at is not None and not any(front.lengths[: 2 * at : 2]) and words in fold_words(front.title):
        return CompletionTarget(page.url)
    reached = front.fragments[at] if at is not None else ""
    fragment = reached or _find_definition(name.removesuffix(_CALL), front.fragments)
    if not fragment:
        return CompletionTarget(page.url)
    title = _line(strip_bidi_controls(front.title))
    return CompletionTarget(f"{page.url}#{escape_fragment(fragment)}", title)


def _find_heading(page: StoredPage, words: str) -> int | None:
    """Finds the first section whose heading has these words; most have none, or a shorter one."""
    for at, (start, end, *_) in enumerate(texts.section_offsets(page.front.lengths)):
        if end - start >= len(words) and fold_words(page.front.text.substring(start, end)) == words:
            return at
    return None


def _find_definition(name: str, fragments: Sequence[str]) -> str:
    """Finds the id of what is defined by this name, or by a fuller one, if that is one alone."""
    if name in fragments:
        return name
    fuller = [one for one in fragments if one.endswith(f".{name}")]
    return fuller[0] if len(fuller) == 1 else ""


def _line(text: str) -> str:
    return " ".join(text.split())
