"""Defines a fetched document, as the reader of its format gets it."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple


class DocumentSource(NamedTuple):
    """A body and what its server says of it; `seconds` of CPU may be spent on a page.

    `recognized` is what OCR has read of which pages, from 0.
    """

    body: bytes
    url: str
    content_type: str
    headers: Sequence[tuple[str, str]]
    seconds: float
    recognized: Mapping[int, str] = {}
