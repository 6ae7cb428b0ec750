"""Finds where a text may be cut: never inside one grapheme cluster (UAX #29, section 3.1).

A little stricter than the standard: whatever follows a zero-width joiner stays with it. What stands before
a character by itself (GB9b) and Indic conjuncts (GB9c) may be cut off.
"""

import unicodedata

MAX_CLUSTER = 64  # characters; no script needs more than a dozen, and walking back from each must end

_JOINER = "\u200d"
_EXTENDING = "\u200c\u200d\uff9e\uff9f\u0e33\u0eb3"  # joiners, marks of half-width kana, Thai and Lao am
_SKINS = range(0x1F3FB, 0x1F400)  # of emoji
_TAGS = range(0xE0020, 0xE0080)  # of flags
_FLAGS = range(0x1F1E6, 0x1F200)  # letters of which two are a flag
_LEADING, _FOLLOWING = range(0x1100, 0x1160), (range(0x1160, 0x1200), range(0xD7B0, 0xD800))  # Hangul jamo


def is_grapheme_boundary(text: str, at: int) -> bool:
    """Tells whether a grapheme cluster begins there, or the text ends."""
    if not 0 < at < len(text):
        return True
    letter = text[at]
    if letter < "\u0300":
        return text[at - 1] != _JOINER and text[at - 1 : at + 1] != "\r\n"
    return not (text[at - 1] == _JOINER or _is_extending(letter) or _continues_cluster(text, at))


def previous_grapheme_boundary(text: str, at: int) -> int:
    """Finds the last boundary at or before `at`."""
    if is_grapheme_boundary(text, at):  # nearly always
        return at
    return next(
        (place for place in range(at, max(at - MAX_CLUSTER, 0), -1) if is_grapheme_boundary(text, place)),
        max(at - MAX_CLUSTER, 0),
    )


def next_grapheme_boundary(text: str, at: int) -> int:
    """Finds the first boundary at or behind `at`, or the end of the text."""
    end = min(at + MAX_CLUSTER, len(text))
    if at < end and is_grapheme_boundary(text, at):
        return at
    return next((place for place in range(at, end) if is_grapheme_boundary(text, place)), end)


def _is_extending(letter: str) -> bool:
    """Tells whether a letter extends the one before it (GB9, GB9a)."""
    code = ord(letter)
    return unicodedata.category(letter)[0] == "M" or letter in _EXTENDING or code in _SKINS or code in _TAGS


def _continues_cluster(text: str, at: int) -> bool:
    """Tells whether a letter goes on a syllable of jamo (GB6 to GB8) or a flag (GB12, GB13)."""
    code, before = ord(text[at]), ord(text[at - 1])
    if code in _FLAGS:
        first = at
        while first and ord(text[first - 1]) in _FLAGS and at - first < MAX_CLUSTER:
            first -= 1
        return (at - first) % 2 == 1
    if any(code in block for block in _FOLLOWING):
        return 0x1100 <= before < 0x1200 or 0xAC00 <= before < 0xD800
    return code in _LEADING and before in _LEADING
