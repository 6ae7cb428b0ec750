"""Identifies a text's language: declared, or detected by script, stop words and letters."""

from engine.text.language.classifier import load_packed_model
from engine.text.language.language import WORDS_SAMPLE, detect_language
from engine.text.language.letters import (
    DIGITS,
    SAME,
    STEP,
    UNLISTED,
    load_frequent_characters,
    load_letter_pairs,
)
from engine.text.language.stopwords import find_stopwords

__all__ = [
    "DIGITS",
    "SAME",
    "STEP",
    "UNLISTED",
    "WORDS_SAMPLE",
    "detect_language",
    "find_stopwords",
    "load_frequent_characters",
    "load_letter_pairs",
    "load_packed_model",
]
