"""Links to the main sections of a page that a query names, shown below the hit as large engines do.

A stored page does not tell which heading is below which. Where headings are numbered, those of the first
level are the main ones; elsewhere those of the longest sections.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from engine.index.schema import fold_name
from engine.index.snippets import escape_fragment
from engine.index.stored_pages import StoredPage
from engine.model import Sitelink
from engine.packing import texts
from engine.text.analysis import strip_bidi_controls

MAX_SITELINKS = 6
MIN_SITELINKS = 2  # one alone is no choice
MAX_TITLE = 60  # characters; a longer heading is a sentence

_LETTER = re.compile(r"[^\W_]")
_NUMBER = re.compile(r"(\d+(?:\.\d+)*)[.)]?\s+(?=\S)")  # before a heading
# What many pages have, and nobody looks for on one.
_BOILERPLATE = frozenset(
    fold_name(heading)
    for line in (
        "see also, navigation, contents, table of contents, on this page, in this article, toc, menu, search",
        "references, external links, further reading, notes, footnotes, bibliography, index, links",
        "author, authors, copyright, license, licence, colophon, disclaimer, about, about us, imprint",
        "comments, leave a comment, feedback, related, related pages, related articles, share",
        "this page, quick search, previous topic, next topic, previous, next",
        "zobacz też, spis treści, przypisy, bibliografia, linki zewnętrzne, nawigacja, autor, komentarze",
        "см. также, смотрите также, содержание, оглавление, примечания, ссылки, литература, навигация",
        "автор, авторы, комментарии, جستارهای وابسته, فهرست, منابع, پانویس, پیوند به بیرون, نویسنده",
        "参见, 另见, 目录, 参考文献, 参考资料, 外部链接, 注释, 导航, 作者, 评论",
        "siehe auch, inhalt, inhaltsverzeichnis, weblinks, einzelnachweise, literatur, kommentare",
        "voir aussi, sommaire, notes et références, liens externes, véase también, enlaces externos",
    )
    for heading in line.split(", ")
)


class _Heading(NamedTuple):
    """A heading with an id: its number, '' for none, its words, and how long its section is."""

    number: str
    title: str
    fragment: str
    size: int


def find_sitelinks(page: StoredPage) -> tuple[Sitelink, ...]:
    """Finds the main sections of a page, in its order; () where it has fewer than MIN_SITELINKS.

    None where its owner limits what may be shown of it.
    """
    if "#" in page.url or page.front.max_snippet is not None:
        return ()
    headings = _choose_level([*_list_headings(page)])
    longest = sorted(headings, key=lambda one: -one.size)[:MAX_SITELINKS]
    if len(longest) < MIN_SITELINKS:
        return ()
    return tuple(
        Sitelink(one.title, f"{page.url}#{escape_fragment(one.fragment)}")
        for one in headings
        if one in longest
    )


def _list_headings(page: StoredPage) -> Iterator[_Heading]:
    """Lists the headings that may be shown: with an id of their own, in few words, each once."""
    there, of_page = set[str](), fold_name(_NUMBER.sub("", page.title))
    offsets = list(texts.section_offsets(page.front.lengths))
    begins = [at for at, (start, end, *_) in enumerate(offsets) if end > start]
    for at, behind in pairwise([*begins, len(offsets)]):
        start, end, begin, _ = offsets[at]
        whole = " ".join(strip_bidi_controls(page.front.text.substring(start, end)).split())
        number = _NUMBER.match(whole)
        title = whole[number.end() :] if number else whole
        folded, fragment = fold_name(title).strip(), page.front.fragments[at]
        if fragment and len(title) <= MAX_TITLE and _is_telling(folded, of_page, there):
            there.add(folded)
            yield _Heading(number[1] if number else "", title, fragment, offsets[behind - 1][3] - begin)


def _is_telling(folded: str, title: str, there: set[str]) -> bool:
    """Tells whether a heading is a name: not that of the page, nor of another section, nor of any page."""
    is_new = folded not in there and folded not in _BOILERPLATE
    return is_new and not title.startswith(folded) and _LETTER.search(folded) is not None


def _choose_level(headings: Sequence[_Heading]) -> Sequence[_Heading]:
    """Chooses the headings of the first level, where most are numbered."""
    numbered = [one for one in headings if one.number]
    if 2 * len(numbered) <= len(headings):
        return headings
    level = min(one.number.count(".") for one in numbered)
    return [one for one in numbered if one.number.count(".") == level]
