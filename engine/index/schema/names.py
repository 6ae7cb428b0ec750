"""Indexes names of pages for completion: titles, headings, words of links,
and what is defined on them.

A term for each word of a name at which one may begin to type: the name from there on, folded, and the name
itself. So names lie in the index's own dictionary, in order, come and go with their pages, and are there as
soon as these are committed. What stands between two words is folded to a space, so that git-rebase,
mod_rewrite and std::vector are found whatever is typed there.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from engine.linkgraph import Anchor
from engine.text.analysis import simplify_letters

MAX_NAME = 100  # characters; a longer one is a sentence, and a title is cut
MAX_FOLDED = 24  # characters that are folded; who typed more is asked for them and looked at again
MAX_HEADINGS = 12  # of a page, the first ones
MAX_DEFINITIONS = 500  # of a page, the first ones; a fifth more than any page of the Python manual has
MAX_ANCHORS = 3  # different words of links to a page, those of most voters first
MAX_STARTS = 5  # words of a name at which one may begin
MIN_LETTERS = 3  # of such a word, but for the first: who types "of" wants a name that begins so
TITLE, HEADING, ANCHOR, DEFINITION = "thad"  # what a name is; in capitals from another word on than its first
BEHIND = "\t"  # what was folded; in a name there is but single spaces

# A line beneath is part of the word that it begins, as in __init__.
_BETWEEN = re.compile(r"(?<=[^\W_])_+(?=[^\W_]|\Z)|[\s\-./\\:,;|·‐-―]+")
_WORD = re.compile(rf"(?<!\w)\w{{{MIN_LETTERS},}}")
_FIRST = re.compile(r"\w")
_LAST_WORD = re.compile(r"\s\S*$")


def make_name_terms(
    title: str, headings: Iterable[str], anchors: Sequence[Anchor], definitions: Iterable[str] = ()
) -> list[str]:
    """Makes the terms for the names of a page: folded, BEHIND, the name, and where it stands in one letter.

    definitions: full names of what is defined on it, of which those on several lines are none.
    """
    terms: dict[str, None] = {}
    there: set[str] = set()
    some = islice(definitions, MAX_DEFINITIONS)
    defined = ((DEFINITION, name) for name in some if len(name) <= MAX_NAME and name == _to_line(name))
    for kind, name in (*_list_names(title, headings, anchors), *defined):
        folded = fold_name(name)
        if folded not in there:
            there.add(folded)
            terms.update(dict.fromkeys(_make_terms(kind, name, folded)))
    return list(terms)


def fold_name(name: str) -> str:
    """Folds a name: small letters without accents, one space for what is between two words."""
    return _BETWEEN.sub(" ", simplify_letters(name))


def fold_whole_name(name: str) -> str:
    """Folds a name that stands alone: the same whatever is around it, and with whatever apostrophe."""
    return fold_name(name.replace("’", "'")).strip()


def fold_prefix(typed: str) -> str:
    """Folds what was typed into what a name begins with, from one of its words on; '' for what
    has no letter.
    """
    typed = typed[:MAX_NAME]
    folded = fold_name(_to_line(typed) + " " * typed.endswith(" "))
    first = _FIRST.search(folded)
    return folded[first.start() :] if first else ""


def _list_names(title: str, headings: Iterable[str], anchors: Sequence[Anchor]) -> Iterator[tuple[str, str]]:
    """Yields the names of a page, the best first; headings and links that only begin the title
    say no more.
    """
    title = _to_line(title)
    if len(title) > MAX_NAME:
        title = _LAST_WORD.sub("", title[:MAX_NAME])
    if title:
        yield TITLE, title
    voted = sorted(anchors, key=lambda anchor: -anchor.voters)[:MAX_ANCHORS]
    others = [(HEADING, heading) for heading in list(headings)[:MAX_HEADINGS]]
    for kind, other in (*others, *((ANCHOR, anchor.text) for anchor in voted)):
        name = _to_line(other)
        if MIN_LETTERS <= len(name) <= MAX_NAME and not title.startswith(name):
            yield kind, name


def _make_terms(kind: str, name: str, folded: str) -> Iterator[str]:
    first = _FIRST.search(folded)
    if not first:
        return
    starts = [word.start() for word in _WORD.finditer(folded, first.end())]
    for start in (first.start(), *starts[: MAX_STARTS - 1]):
        where = kind if start == first.start() else kind.upper()
        yield f"{folded[start : start + MAX_FOLDED]}{BEHIND}{name}{where}"


def _to_line(text: str) -> str:
    """Puts a text on one line, as UTF-8 can have it (no half surrogates)."""
    return " ".join(text.encode("utf-8", "replace").decode().split())
