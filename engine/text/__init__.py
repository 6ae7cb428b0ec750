"""Bytes -> Page; text -> language, terms, fingerprint."""

from engine.text.analysis import analyse, spans
from engine.text.asked import query_terms
from engine.text.charset import decode
from engine.text.direction import undirected
from engine.text.documents import read, read_text
from engine.text.fingerprint import Digests, digests, fingerprint
from engine.text.kinds import UNTYPED, magic, media_type
from engine.text.language import language
from engine.text.markup import read_html
from engine.text.near import alike

__all__ = [
    "UNTYPED",
    "Digests",
    "alike",
    "analyse",
    "decode",
    "digests",
    "fingerprint",
    "language",
    "magic",
    "media_type",
    "query_terms",
    "read",
    "read_html",
    "read_text",
    "spans",
    "undirected",
]
