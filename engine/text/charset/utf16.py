"""Detects UTF-16 and its byte order from the bytes, whatever is declared."""

from engine.text.language import load_frequent_characters

MAX_READ = 4 * 1024  # bytes looked at from the beginning: markup alone would do
MIN_READ = 16  # bytes: with fewer, all characters have to be usual ones
USUAL = 0.45  # share of characters that are usual ones; right is .8 mostly, the wrong order less than .2

_FREQUENT = ("zh-hans", "zh-hant", "ja", "ko")


def detect_utf_16(body: bytes) -> str:
    """Detects the UTF-16 of a body without a mark, by Python's name; '' if it is in none."""
    start = body[: MAX_READ - MAX_READ % 2]
    shares = {name: _usual_share(start.decode(name, "replace")) for name in ("utf-16-le", "utf-16-be")}
    name = max(shares, key=lambda order: shares[order])
    return name if shares[name] >= (USUAL if len(start) >= MIN_READ else 1) else ""


def _usual_share(text: str) -> float:
    """Computes the share of characters in a text that pages are mostly made of."""
    return sum(map(_is_usual, text)) / len(text) if text else 0.0


def _is_usual(character: str) -> bool:
    if character < "\u0700":  # Latin, Greek, Cyrillic, Hebrew, Arabic letters
        return character.isalnum() or character.isspace() or " " <= character < "\x7f"
    if (
        "\u0e00" <= character < "\u0e80"
        or "\u2010" <= character < "\u2040"
        or "\u3000" <= character < "\u3100"
    ):
        return True  # Thai, marks of punctuation, Kana
    return any(character in load_frequent_characters(writing) for writing in _FREQUENT)
