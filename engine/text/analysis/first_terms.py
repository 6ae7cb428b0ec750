"""Finds the terms with which a chunk of text begins: most begin with a plain word, and that is enough."""

import re
from functools import lru_cache
from typing import NamedTuple

from engine.text.analysis.analyzer import MAX_CHUNK, Place, analyse

MAX_REMEMBERED = 32_768  # chunks, of MAX_CHUNK octets at most: 18 MB
_BEGUN = re.compile(r"([A-Za-z][a-z]*|[A-Z]+)[-._:,]*(?:\Z|(?<![A-Za-z])([A-Za-z0-9]))")


class FirstTerms(NamedTuple):
    """Terms at the first position of a chunk, and how others that stand there begin; '' for no others."""

    terms: Place
    goes_on: str = ""


def find_first_terms(octets: bytes, language: str) -> FirstTerms:
    """Finds the first terms of a chunk in UTF-8, without analysing what is joined to a plain word."""
    find = _remembered if len(octets) <= MAX_CHUNK else _find_first_terms
    return find(octets, language)


def _find_first_terms(octets: bytes, language: str) -> FirstTerms:
    chunk = octets.decode(errors="replace")
    begun = _BEGUN.match(chunk) if chunk.isascii() else None
    word, letter = (begun[1], begun[2] or "") if begun else (chunk, "")
    places = analyse(word, language)
    # The word stands there whatever comes behind it, and perhaps a whole that goes on with this letter.
    return FirstTerms(places[0] if places else (), (word + letter).lower() if letter else "")


# Pages have many chunks in common.
_remembered = lru_cache(MAX_REMEMBERED)(_find_first_terms)
