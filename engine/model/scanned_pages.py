"""Counts the pages of a document that are pictures of text."""

from typing import NamedTuple


class ScannedPages(NamedTuple):
    """How many of the pages of a document are pictures, without any text that can be read."""

    scanned: int
    pages: int
