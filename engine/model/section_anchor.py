"""Defines an anchor: a place in a page to which a link can lead."""

from typing import NamedTuple


class SectionAnchor(NamedTuple):
    """A place in the text of a section, in characters, to which a fragment leads."""

    place: int
    fragment: str
