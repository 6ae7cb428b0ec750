"""Tells pages that say nothing, or next to nothing, before their scripts have run."""

import re

from engine.model import Page, Reading

SPARSE_CHARACTERS = 200  # of text; the shell of an application has a name and "Loading..."
MAX_PACKED = 4_096  # bytes of a packed page; a longer one has more to say than that, or has many links
_SCRIPT = re.compile(rb"<script\b", re.IGNORECASE)


def has_scripts(body: bytes) -> bool:
    """Tells whether a page has scripts at all."""
    return _SCRIPT.search(body) is not None


def is_empty(reading: Reading) -> bool:
    """Tells whether a page has no text at all; what NOSCRIPT says is none."""
    return not reading.fingerprint


def is_sparse(page: Page) -> bool:
    """Tells whether a page has next to no text, navigation included."""
    return len(page.text) + len(page.rest) < SPARSE_CHARACTERS
