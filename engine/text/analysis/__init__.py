"""Analyses text into terms: tokens, folded letters, stems, variants, and their places."""

from engine.text.analysis.accents import simplified
from engine.text.analysis.alphabet import LETTERS, MARKS, SPACELESS, TYPED, fold
from engine.text.analysis.analyzer import (
    AKIN,
    CLOSING,
    MAX_CHUNK,
    MAX_TERM,
    OPENING,
    analyse,
    begun,
    first_of,
    places,
    spans,
    spell,
    terms_of,
)
from engine.text.analysis.direction import undirected
from engine.text.analysis.forms import surface_forms
from engine.text.analysis.graphemes import MAX_CLUSTER, whole_after, whole_before
from engine.text.analysis.query_terms import QueryTerms, TypedWord, analyse_query
from engine.text.analysis.stemming import BEGIN_OTHERWISE, DOTLESS, stemmer, way_of
from engine.text.analysis.tokenizer import (
    MAX_PARTS,
    PRINTED,
    SEPARATORS,
    gramed,
    has_spaceless,
    pieced,
    stretches,
)

__all__ = [
    "AKIN",
    "BEGIN_OTHERWISE",
    "CLOSING",
    "DOTLESS",
    "LETTERS",
    "MARKS",
    "MAX_CHUNK",
    "MAX_CLUSTER",
    "MAX_PARTS",
    "MAX_TERM",
    "OPENING",
    "PRINTED",
    "SEPARATORS",
    "SPACELESS",
    "TYPED",
    "QueryTerms",
    "TypedWord",
    "analyse",
    "analyse_query",
    "begun",
    "first_of",
    "fold",
    "gramed",
    "has_spaceless",
    "pieced",
    "places",
    "simplified",
    "spans",
    "spell",
    "stemmer",
    "stretches",
    "surface_forms",
    "terms_of",
    "undirected",
    "way_of",
    "whole_after",
    "whole_before",
]
