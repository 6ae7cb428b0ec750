"""Lists what can be typed, with an example of each: help for people, on pages and in the terminal."""

from engine.index.query import OPERATORS
from engine.model import Message

QUERY_SYNTAX = (
    ("event loop", Message("all of the words")),
    ('"event loop"', Message("words side by side")),
    ('"config"', Message("the word as it is, not in another form")),
    ("loop -while", Message("not the second word")),
    ("loop OR cycle", Message("either")),
    ("config*", Message("words that begin so")),
    *(example for operator in OPERATORS.values() for example in operator.examples),
)
"""What can be typed, with an example of each; a minus goes before any of them."""
