"""Reads and writes WARC files (ISO 28500, versions 1.0 and 1.1), as crawlers and web archives have them."""

from engine.warc.capture import REVISIT, Capture
from engine.warc.reading import DAMAGED, TOO_LARGE, OpenCapture, read_captures
from engine.warc.writing import write_info, write_response

__all__ = [
    "DAMAGED",
    "REVISIT",
    "TOO_LARGE",
    "Capture",
    "OpenCapture",
    "read_captures",
    "write_info",
    "write_response",
]
