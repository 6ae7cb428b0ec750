"""Numbers the terms of UTF-8 texts and finds their positions, in compiled loops."""

from engine.text.tokens.characters import FIGURE, KNOWN, WORD, Known, learn_characters
from engine.text.tokens.numbering import TermBatch, TermNumbering
from engine.text.tokens.pairs import FirstLetters
from engine.text.tokens.places import (
    BEGINS,
    ENDS,
    MAX_WORD,
    NUMBERS,
    PARTS,
    STARTS,
    Prefixes,
    find_places,
)
from engine.text.tokens.utf8 import Blocks, Octets, Utf8, decode_code_point, find_octet

__all__ = [
    "BEGINS",
    "ENDS",
    "FIGURE",
    "KNOWN",
    "MAX_WORD",
    "NUMBERS",
    "PARTS",
    "STARTS",
    "WORD",
    "Blocks",
    "FirstLetters",
    "Known",
    "Octets",
    "Prefixes",
    "TermBatch",
    "TermNumbering",
    "Utf8",
    "decode_code_point",
    "find_octet",
    "find_places",
    "learn_characters",
]
