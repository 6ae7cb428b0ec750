"""Counts the pages of a document that are pictures of text."""

from typing import NamedTuple


class ScannedPages(NamedTuple):
    """How many of the pages of a document are pictures without text, and of how many OCR has read some."""

    scanned: int
    pages: int
    recognized: int = 0
