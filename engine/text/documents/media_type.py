"""Determines a body's media type: what its server says, else its first bytes."""

import re

from engine.errors import PageError
from engine.formats import FORMATS, HTML, PDF, PLAIN, READABLE
from engine.text.documents.package import ZipPackage

_NAMES = """
    application/octet-stream binary/octet-stream application/force-download application/download
    application/x-download application/unknown unknown/unknown */*
"""
UNTYPED = frozenset(_NAMES.split())
"""What servers say of files that they do not know (MIME Sniffing, 7) or want to be saved."""

UNKNOWN = "application/octet-stream"  # a body that nobody can name
MAX_SNIFFED = 1_445  # bytes: MIME Sniffing, 5.2, the resource header

_ALIASES = {alias: one.media_types[0] for one in FORMATS for alias in one.aliases}
_MAYBE_WRONG = frozenset(["", HTML, PLAIN]) | UNTYPED  # servers say these of what they do not know, too
_STARTS_WITH_TAG = re.compile(rb"(?:\xef\xbb\xbf)?\s*<")
_MARKED = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")  # byte order marks
_BINARY = re.compile(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]")  # MIME Sniffing, 3: binary data bytes


def parse_media_type(content_type: str) -> str:
    """Parses the media type in a Content-Type header, in our spelling; '' where there is none."""
    name = content_type.partition(";")[0].strip().lower()
    return _ALIASES.get(name, name)


def sniff_magic(beginning: bytes) -> str:
    """Sniffs the media type of a document that no text begins like, '' for everything else.

    Of packages that begin alike it is one of their types.
    """
    return next((one.media_types[0] for one in FORMATS if one.magic and one.magic.match(beginning)), "")


def sniff_media_type(content_type: str, body: bytes) -> str:
    """Determines the media type of a body; what its server says is believed where servers know."""
    media_type = parse_media_type(content_type)
    if media_type in READABLE and media_type not in _MAYBE_WRONG:
        return media_type
    if media_type in _MAYBE_WRONG and (found := _sniff_binary(body)):
        return found
    if not media_type:
        media_type = HTML if _STARTS_WITH_TAG.match(body) else PLAIN
    return UNKNOWN if media_type == PLAIN and _is_binary(body, content_type) else media_type


def _sniff_binary(body: bytes) -> str:
    """Sniffs the magic of what is no text: a text may speak of %PDF- in its first lines."""
    found = _sniff_package(body) or sniff_magic(body)
    return found if found != PDF or body.lstrip().startswith(b"%PDF-") or _BINARY.search(body) else ""


def _sniff_package(body: bytes) -> str:
    """Sniffs which of the packages that begin alike a body is, by the folder that holds its parts.

    UNKNOWN for none of them, '' for what does not begin so, and for a package of which only a part is there.
    """
    alike = [one for one in FORMATS if one.folder and one.magic and one.magic.match(body)]
    if not alike:
        return ""
    try:
        folders = {f"{name.partition('/')[0]}/" for name in ZipPackage(body).names()}
    except PageError:
        return ""
    return next((one.media_types[0] for one in alike if one.folder in folders), UNKNOWN)


def _is_binary(body: bytes, content_type: str) -> bool:
    """Tells whether a text is none (MIME Sniffing, 7.2); UTF-16 has zeros and is."""
    if body.startswith(_MARKED) or "utf-16" in content_type.lower():
        return False
    return bool(_BINARY.search(body[:MAX_SNIFFED]))
