"""Looks up what suggestions are made of: words nearly like others, names of pages, titles of hosts."""

from engine.index.lexicon.lexicon import Lexicon, NameCandidate, PageKey
from engine.index.lexicon.name_weights import KIND_WEIGHTS, MAX_KEPT, weigh_names
from engine.index.lexicon.segment_lexicon import SegmentLexicon
from engine.index.lexicon.title_suffix import NO_SUFFIX, SAMPLE, TitleSuffix, learn_suffix
from engine.index.lexicon.vocabulary import MAX_ALIKE, MAX_LETTERS

__all__ = [
    "KIND_WEIGHTS",
    "MAX_ALIKE",
    "MAX_KEPT",
    "MAX_LETTERS",
    "NO_SUFFIX",
    "SAMPLE",
    "Lexicon",
    "NameCandidate",
    "PageKey",
    "SegmentLexicon",
    "TitleSuffix",
    "learn_suffix",
    "weigh_names",
]
