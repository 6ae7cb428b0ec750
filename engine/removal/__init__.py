"""Removes what the operator wants kept out, suspects among it, and undoes that."""

from engine.removal.removal import receipt_lines, receipt_sentence, removal_object, remove, undo
from engine.removal.suspects import accept_suspect, describe_times, dismiss_suspect

__all__ = [
    "accept_suspect",
    "describe_times",
    "dismiss_suspect",
    "receipt_lines",
    "receipt_sentence",
    "removal_object",
    "remove",
    "undo",
]
