"""Sketches a text as a few numbers, of which similar texts share many (MinHash of shingles).

This is MinHash in one permutation (Li, Owen, Zhang 2012). A shingle is what stands from a word's beginning
on, some three words; one with a digit in it does not count. SimHash would not do: where an advert makes up a
fifth, 9 of its 64 bits differ, and no look-up by equal bands finds them.
"""

from hashlib import blake2b

import numpy as np
import numpy.typing as npt

from engine.model import Page
from engine.text.duplicates.near_duplicates import title_or_heading

BANDS = 5  # keys of a page's shingles; one more is of all of them, for pages made by one template
ROWS = 2  # least hashes in a key; of two texts that share four fifths, 99 % share one key of five at least
FEWEST = 20  # words of a page that takes part, or twice as many letters where words are not parted
SKETCHED = 16_384  # octets at the beginning of a text, some 2,500 words; bounds the cost for long ones
SHINGLE = 16  # octets

_SPACE = ord(" ")
_DIGITS_TO_NUL = bytes.maketrans(b"0123456789", bytes(10))
_NEITHER = bytes(octet for octet in range(128) if not chr(octet).isalnum() and octet != _SPACE)
_WORD = 8  # octets that one number holds
_UNPARTED = 24  # octets to a space: words are shorter, in every language that parts them
_LEAD = 0xC0  # what is as high begins a character of several octets (RFC 3629, section 3)
# Odd numbers without a pattern: the digits of the golden ratio, and those of the mixer of SplitMix64.
_ONE, _TWO, _THREE = np.array([0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB], np.uint64)
_ROW_WEIGHTS = np.array([_ONE, _TWO], np.uint64)
_HALF = np.uint64(32)
_LOW, _HIGH = np.array([0x0101010101010101, 0x8080808080808080], np.uint64)
_EDGES = np.array([n * 2**64 // (BANDS * ROWS) for n in range(BANDS * ROWS)], np.uint64)

Numbers = npt.NDArray[np.uint64]


def compute_sketch(folded: bytes, page: Page, besides: bytes = b"") -> tuple[int, ...]:
    """Computes BANDS keys and one, of which near duplicates share at least one; none for a short page.

    Who shares the last key has all shingles in common. `folded` is the page's text in one case, in UTF-8;
    `besides` is what else must be equal. The keys are
    whole numbers of 64 bits, signed as SQLite has them.
    """
    letters = folded[:SKETCHED].translate(_DIGITS_TO_NUL, _NEITHER)
    hashes = _hash_shingles(letters) if len(letters) > SHINGLE else None
    if hashes is None:
        return ()
    called = _digest(title_or_heading(page).encode(errors="replace") + b"\0" + besides)
    least = _least_hashes(hashes).reshape(BANDS, ROWS)
    shared = (least * _ROW_WEIGHTS).sum(axis=1, dtype=np.uint64)
    keys = _mix_bits(np.append(shared, hashes.sum(dtype=np.uint64)) ^ called)
    return tuple(keys.view(np.int64).tolist())


def _hash_shingles(letters: bytes) -> Numbers | None:
    """Hashes each shingle without digits, None for a text with too few."""
    begins, fewest = _find_shingle_starts(np.frombuffer(letters, np.uint8)[:-SHINGLE])
    # Sixteen octets wherever they begin: a view, nothing is copied but shingles, each as two numbers.
    shingles = np.ndarray((len(letters) - SHINGLE + 1,), f"V{SHINGLE}", letters, strides=(1,))
    one, other = shingles[begins].view("<u8").reshape(-1, 2).T
    # Whether an octet is NUL, which replaces a digit (Warren, Hacker's Delight, 6-1).
    lasting = (((one - _LOW) & ~one) | ((other - _LOW) & ~other)) & _HIGH == 0
    one, other = one[lasting], other[lasting]
    return _mix_bits(one * _ONE + other * _TWO) if len(one) >= fewest else None


def _find_shingle_starts(octets: npt.NDArray[np.uint8]) -> tuple[npt.NDArray[np.intp], int]:
    """Finds where shingles begin, and how many must: after spaces, or at each letter if few stand."""
    spaces = np.flatnonzero(octets == _SPACE)
    if len(spaces) * _UNPARTED >= len(octets):
        return spaces + 1, FEWEST
    return np.flatnonzero(octets >= _LEAD), 2 * FEWEST


def _digest(octets: bytes) -> Numbers:
    return np.frombuffer(blake2b(octets, digest_size=_WORD).digest(), "<u8")


def _mix_bits(numbers: Numbers) -> Numbers:
    numbers = (numbers ^ (numbers >> _HALF)) * _THREE
    return numbers ^ (numbers >> _HALF)


def _least_hashes(hashes: Numbers) -> Numbers:
    """Finds the least hash from each edge on; where a stretch is empty, that of the next."""
    hashes.sort()
    return hashes[np.searchsorted(hashes, _EDGES) % len(hashes)]
