"""Reads a response's body into a Page: by its media type, with the reader of its format.

What readers share is here as well: bounded packages, sections, links and pages of what is no HTML.
"""

from engine.text.documents.document_page import SHARE, DocumentProperties, build_page, first_heading
from engine.text.documents.documents import read_document, render_page
from engine.text.documents.media_type import UNTYPED, parse_media_type, sniff_magic
from engine.text.documents.package import ZipPackage, parse_xml
from engine.text.documents.source import DocumentSource
from engine.text.documents.text_builder import TextBuilder, TextLimitReached, stop_when_late

__all__ = [
    "SHARE",
    "UNTYPED",
    "DocumentProperties",
    "DocumentSource",
    "TextBuilder",
    "TextLimitReached",
    "ZipPackage",
    "build_page",
    "first_heading",
    "parse_media_type",
    "parse_xml",
    "read_document",
    "render_page",
    "sniff_magic",
    "stop_when_late",
]
