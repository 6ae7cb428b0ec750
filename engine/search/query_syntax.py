"""Lists what can be typed, with an example of each: help for people, on pages and in the terminal."""

from engine.index.query import OPERATORS
from engine.model import Message

QUERY_SYNTAX = (
    ("event loop", Message("all of the words")),
    ('"event loop"', Message("the exact phrase")),
    ('"config"', Message("the exact word, in no other form")),
    ("loop -while", Message("without the second word")),
    ("loop OR cycle", Message("either word")),
    ("config*", Message("words starting with this")),
    *(example for operator in OPERATORS.values() for example in operator.examples),
)
"""What can be typed, with an example of each; a minus goes before any of them."""
