"""Decodes bytes as browsers do (Encoding Standard), declared or detected."""

from engine.text.charset.charset import decode, utf_8
from engine.text.charset.declared import BROWSER_CHARSETS
from engine.text.charset.legacy import text_of
from engine.text.charset.queries import asks_in_utf_8, in_charset

__all__ = [
    "BROWSER_CHARSETS",
    "asks_in_utf_8",
    "decode",
    "in_charset",
    "text_of",
    "utf_8",
]
