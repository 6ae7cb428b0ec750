"""Analyses text into terms: tokens, folded letters, stems, variants, positions."""

from engine.text.analysis.accents import simplify_letters
from engine.text.analysis.alphabet import LETTERS, MARKS, SPACELESS, TYPED, fold
from engine.text.analysis.analyzer import (
    CLOSING,
    MAX_CHUNK,
    MAX_TERM,
    OPENING,
    VARIANT_MARK,
    analyse,
    analyse_chunk,
    analyse_with_offsets,
    distinct_terms,
    normalize_term,
)
from engine.text.analysis.direction import strip_bidi_controls
from engine.text.analysis.first_terms import FirstTerms, find_first_terms
from engine.text.analysis.forms import surface_forms
from engine.text.analysis.graphemes import MAX_CLUSTER, next_grapheme_boundary, previous_grapheme_boundary
from engine.text.analysis.query_terms import QueryTerms, TypedWord, analyse_query
from engine.text.analysis.stemming import BEGIN_OTHERWISE, DOTLESS, load_stemmer, stemming_language
from engine.text.analysis.tokenizer import (
    MAX_PARTS,
    PRINTED,
    SEPARATORS,
    has_spaceless,
    split_bigrams,
    split_case_parts,
    split_spaceless,
)

__all__ = [
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
    "VARIANT_MARK",
    "FirstTerms",
    "QueryTerms",
    "TypedWord",
    "analyse",
    "analyse_chunk",
    "analyse_query",
    "analyse_with_offsets",
    "distinct_terms",
    "find_first_terms",
    "fold",
    "has_spaceless",
    "load_stemmer",
    "next_grapheme_boundary",
    "normalize_term",
    "previous_grapheme_boundary",
    "simplify_letters",
    "split_bigrams",
    "split_case_parts",
    "split_spaceless",
    "stemming_language",
    "strip_bidi_controls",
    "surface_forms",
]
