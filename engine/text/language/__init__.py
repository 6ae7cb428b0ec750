"""Identifies a text's language: declared, or detected by script, stop words and letters."""

from engine.text.language.classifier import packed_model
from engine.text.language.language import WORDS_SAMPLE, detect_language
from engine.text.language.letters import DIGITS, SAME, STEP, UNLISTED, frequent, pairs
from engine.text.language.stopwords import little

__all__ = [
    "DIGITS",
    "SAME",
    "STEP",
    "UNLISTED",
    "WORDS_SAMPLE",
    "detect_language",
    "frequent",
    "little",
    "packed_model",
    "pairs",
]
