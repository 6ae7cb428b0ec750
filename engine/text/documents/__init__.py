"""Reads a response's body into a Page: HTML, PDF, DOCX or plain text."""

from engine.text.documents.documents import read
from engine.text.documents.media_type import UNTYPED, magic, media_type_of
from engine.text.documents.source import Source

__all__ = [
    "UNTYPED",
    "Source",
    "magic",
    "media_type_of",
    "read",
]
