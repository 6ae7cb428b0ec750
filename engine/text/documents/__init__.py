"""Reads a response's body into a Page: HTML, PDF, DOCX or plain text."""

from engine.text.documents.documents import read
from engine.text.documents.media_type import UNTYPED, magic, media_type_of

__all__ = [
    "UNTYPED",
    "magic",
    "media_type_of",
    "read",
]
