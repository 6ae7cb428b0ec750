"""Defines what is known of a page besides the answer that brought it."""

from collections.abc import Mapping
from typing import NamedTuple


class ReadingContext(NamedTuple):
    """What is known of a page besides the answer that brought it."""

    recognized: Mapping[int, str] = {}  # what OCR has read of which pages
    rendered: bool = False  # it is what a browser has made of the one that came
    published: float | None = None  # by a feed, seconds since 1970; for a page that says no such date


NO_CONTEXT = ReadingContext()
