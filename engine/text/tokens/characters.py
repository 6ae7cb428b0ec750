"""Knows the characters of texts: which letter each is in simple letters, and its kind, for compiled loops."""

import unicodedata

import numpy as np
from numpy.typing import NDArray

from engine.text.analysis import CLOSING, SEPARATORS, has_spaceless, simplify_letters
from engine.text.tokens.utf8 import Utf8

LETTER, WORD, CAPITAL, SPACE = map(np.uint32, (0x1FFFFF, 1 << 21, 1 << 22, 1 << 23))
SEPARATOR, CLOSES, SPACELESS, FIGURE = map(np.uint32, (1 << 24, 1 << 25, 1 << 26, 1 << 27))
"""What Known says of a character: which one it is in simple letters, then bits for its kind."""
SPACELESS_FROM = np.uint32(0x0E00)  # Thai; scripts from here on mostly have no spaces: a word starts anywhere
_ASCII = 128

Known = NDArray[np.uint32]
KNOWN: Known = np.zeros(0x200000, np.uint32)  # 8 MB, of which the system gives what is used; 0: not yet known


def learn_characters(text: Utf8) -> None:
    """Adds each of its characters to KNOWN."""
    for letter in set(text.octets.decode(errors="surrogatepass")):
        KNOWN[ord(letter)] = _classify_character(letter)


def _classify_character(letter: str) -> int:
    is_word = letter.isalnum() or unicodedata.category(letter)[0] == "M"
    bits = is_word * WORD | letter.isupper() * CAPITAL | letter.isspace() * SPACE
    bits |= (letter in SEPARATORS) * SEPARATOR | (letter in CLOSING) * CLOSES
    bits |= has_spaceless(letter) * SPACELESS | letter.isdecimal() * FIGURE
    return int(ord(simplify_letters(letter)) | bits) or int(SPACE)  # U+0000 is no letter


KNOWN[:_ASCII] = [_classify_character(chr(code)) for code in range(_ASCII)]
