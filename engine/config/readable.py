"""What a page may be and what its reading may cost: media types, and seconds of processor time."""

from collections.abc import Mapping
from dataclasses import dataclass

HTML = "text/html"
XHTML = "application/xhtml+xml"
PLAIN = "text/plain"
MARKDOWN = "text/markdown"  # RFC 7763
PDF = "application/pdf"  # RFC 8118
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"  # ECMA-376

TYPES: Mapping[str, tuple[str, ...]] = {
    "html": (HTML, XHTML),
    "text": (PLAIN, MARKDOWN),
    "pdf": (PDF,),
    "docx": (DOCX,),
}
"""What the operator writes -> the media types that this means, those first that we like best."""

READABLE = frozenset(media_type for types in TYPES.values() for media_type in types)
"""The media types of which a page can be made."""

PAGE_SECONDS = 2  # of processor time for one page: the busy machine of an operator is no fault of a page


@dataclass(frozen=True, slots=True)
class ReadingLimits:
    """What is read, and for how long."""

    types: frozenset[str] = READABLE
    seconds: float = PAGE_SECONDS


def types_named(word: str) -> tuple[str, ...]:
    """The media types that an operator's word means, or the one that it is. Raises ValueError for none."""
    word = word.strip().lower()
    if word in READABLE:
        return (word,)
    if word not in TYPES:
        raise ValueError(f"no type that can be read; there are {', '.join(TYPES)}")
    return TYPES[word]
