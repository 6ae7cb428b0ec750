"""Reads and writes WARC files (ISO 28500, versions 1.0 and 1.1), as crawlers and web archives have them."""

from engine.warc.capture import REVISIT, Capture
from engine.warc.duplicates import NAMES_DUPLICATES, name_duplicate, names_duplicates
from engine.warc.reading import DAMAGED, TOO_LARGE, OpenCapture, read_captures
from engine.warc.writing import write_info, write_response

__all__ = [
    "DAMAGED",
    "NAMES_DUPLICATES",
    "REVISIT",
    "TOO_LARGE",
    "Capture",
    "OpenCapture",
    "name_duplicate",
    "names_duplicates",
    "read_captures",
    "write_info",
    "write_response",
]
