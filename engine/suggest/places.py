"""Finds the page, or the section, to which a completion leads directly."""

from typing import NamedTuple

import numpy as np

from engine.index.reader import Reader
from engine.index.snippets import escape_fragment
from engine.index.stored_pages import StoredPage
from engine.packing import texts


class CompletionTarget(NamedTuple):
    """The URL, with fragment, that a completion leads to."""

    address: str

    @property
    def nbytes(self) -> int:
        """The memory that it takes."""
        return len(self.address)


def find_address(reader: Reader, document: int, name: str) -> str:
    """Finds the address of a name; a page is read once for each of its names that is offered."""
    ((_, member, _, (at,)),) = reader.split_by_segment(np.array([document], np.int32))
    key = (member.name, "place", int(at), name)
    return reader.cache.get(key, lambda: CompletionTarget(_locate_name(reader.page(document), name))).address


def _locate_name(page: StoredPage, name: str) -> str:
    """Locates a name: what its title begins with is the page as a whole, and so is what no link on it
    reaches.
    """
    front = page.front
    if "#" in page.url or _line(front.title).startswith(name):
        return page.url
    headings = (
        _line(front.text.substring(start, end)) for start, end, *_ in texts.section_offsets(front.lengths)
    )
    reached = (one for heading, one in zip(headings, front.fragments, strict=True) if heading == name)
    fragment = next(reached, "") or (name if name in front.fragments else "")
    return f"{page.url}#{escape_fragment(fragment)}" if fragment else page.url


def _line(text: str) -> str:
    return " ".join(text.split())
