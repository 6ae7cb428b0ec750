"""Decodes bytes as browsers do (Encoding Standard), declared or detected."""

from engine.text.charset.charset import decode, to_utf_8
from engine.text.charset.declared import BROWSER_CHARSETS
from engine.text.charset.legacy import decode_bytes
from engine.text.charset.queries import encode_query, has_utf_8_queries

__all__ = [
    "BROWSER_CHARSETS",
    "decode",
    "decode_bytes",
    "encode_query",
    "has_utf_8_queries",
    "to_utf_8",
]
