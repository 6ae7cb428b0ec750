"""Reads a response's body into a Page: HTML, PDF, DOCX or plain text."""

from engine.text.documents.documents import read_document
from engine.text.documents.media_type import UNTYPED, parse_media_type, sniff_magic
from engine.text.documents.source import DocumentSource

__all__ = [
    "UNTYPED",
    "DocumentSource",
    "parse_media_type",
    "read_document",
    "sniff_magic",
]
