"""Finds known words in the octets of texts: chunks, term numbers, places; compiled loops."""

from engine.text.tokens.numbering import Batch, Numbering
from engine.text.tokens.pairs import FirstLetters
from engine.text.tokens.places import (
    BEGINS,
    ENDS,
    FIGURE,
    KNOWN,
    MAX_WORD,
    NUMBERS,
    PARTS,
    STARTS,
    WORD,
    Beginnings,
    Known,
    find_places,
    learn,
)
from engine.text.tokens.utf8 import Blocks, Octets, Utf8, code_at, place_of

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
    "Batch",
    "Beginnings",
    "Blocks",
    "FirstLetters",
    "Known",
    "Numbering",
    "Octets",
    "Utf8",
    "code_at",
    "find_places",
    "learn",
    "place_of",
]
