"""Strips bidirectional control characters (UAX 9)."""

import re

_TURNS = re.compile("[\u202a-\u202e\u2066-\u2069]+")  # UAX 9, 2.1 to 2.4: embeddings, overrides, isolates


def strip_bidi_controls(text: str) -> str:
    """Strips bidirectional embeddings, overrides and isolates; letters still say which way they run.

    One that does not end turns what a reader sees behind it: `exe.fdp` would show as pdf.exe.
    The marks U+200E, U+200F and U+061C stay: they reach no further than their neighbours.
    """
    return text if text.isascii() else _TURNS.sub("", text)
