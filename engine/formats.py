"""The table of document formats: names, media types and suffixes."""

from collections.abc import Mapping
from typing import NamedTuple

HTML = "text/html"
XHTML = "application/xhtml+xml"
PLAIN = "text/plain"
MARKDOWN = "text/markdown"  # RFC 7763
PDF = "application/pdf"  # RFC 8118
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"  # ECMA-376


class Format(NamedTuple):
    """One format: its media types, those first that we like best.

    `suffixes` are of files that hold nothing else: who does not read the format need not ask for them.
    """

    media_types: tuple[str, ...]
    suffixes: tuple[str, ...] = ()


FORMATS: Mapping[str, Format] = {
    "html": Format((HTML, XHTML)),
    "text": Format((PLAIN, MARKDOWN)),
    "pdf": Format((PDF,), ("pdf",)),
    "docx": Format((DOCX,), ("docx",)),
}
"""By the words that an operator writes."""

READABLE = frozenset(media_type for one in FORMATS.values() for media_type in one.media_types)
"""The media types of which a page can be made."""


def suffixes_read(types: frozenset[str] = READABLE) -> frozenset[str]:
    """The suffixes of files in which a page of these media types may be."""
    read = (one for one in FORMATS.values() if types.intersection(one.media_types))
    return frozenset(suffix for one in read for suffix in one.suffixes)
