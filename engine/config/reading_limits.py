"""Parses the limits of reading: accepted media types, and CPU seconds for a page."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.formats import FORMATS, READABLE

TYPES: Mapping[str, tuple[str, ...]] = {
    one.word: tuple(name for other in FORMATS if other.word == one.word for name in other.media_types)
    for one in FORMATS
}
"""What the operator writes -> the media types that this means, those first that we like best."""

PAGE_SECONDS = 2  # of processor time for one page: the busy machine of an operator is no fault of a page


@dataclass(frozen=True, slots=True)
class ReadingLimits:
    """The media types that are read, and the CPU seconds for a page."""

    types: frozenset[str] = READABLE
    seconds: float = PAGE_SECONDS


def parse_types(word: str) -> tuple[str, ...]:
    """Parses a format's name, or one media type, into media types. Raises ValueError for anything else."""
    word = word.strip().lower()
    if word in READABLE:
        return (word,)
    if word not in TYPES:
        raise ValueError(f"no type that can be read; there are {', '.join(TYPES)}")
    return TYPES[word]
