"""Pages that differ in dates, counters and adverts only: how they are found, and what proves it.

They are found by a sketch: numbers that two texts share the more the more of their shingles they share
(MinHash in one permutation: Li, Owen, Zhang 2012). A shingle is what stands from a word's beginning on, some
three words; one with a digit in it does not count. SimHash would not do: where an advert makes up a fifth,
9 of its 64 bits differ, and no look-up by equal bands finds them.

Nothing is a copy because its sketch says so. The names of both pages must be equal, numbers in them too, and
their lines must be the same but for changing numbers and for whole lines that one of them has more. Where
one line stands in place of another, as on pages made by one template, these are two pages.
"""

from hashlib import blake2b

import numpy as np
import numpy.typing as npt

from engine.page import Page
from engine.text.changing import changed, lasting

BANDS = 5  # keys of a page's shingles; one more is of all of them, for pages made by one template
ROWS = 2  # least hashes in a key; of two texts that share four fifths, 99 % share one key of five at least
FEWEST = 20  # words of a page that takes part, or twice as many letters where words are not parted
SKETCHED = 16_384  # octets at the beginning of a text, some 2,500 words; bounds the cost for long ones
SHINGLE = 16  # octets
MOST_APART = 0.2  # of the characters of the longer page: what stands on one of the two only
MOST_LOOKS = 20_000  # at lines further on, when two pages are compared: some 10 ms
MOST_CHANGED = 8  # numbers that differ: a date, a time and some counters; a page of figures has more

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


def sketch(folded: bytes, page: Page, besides: bytes = b"") -> tuple[int, ...]:
    """BANDS keys and one, of which near duplicates share one at least; none for a short page.

    Who shares the last key has all shingles in common.
    `folded` is the page's text in one case, in UTF-8; `besides` is what else must be equal. The keys are
    whole numbers of 64 bits, signed as SQLite has them.
    """
    letters = folded[:SKETCHED].translate(_DIGITS_TO_NUL, _NEITHER)
    hashes = _hashes(letters) if len(letters) > SHINGLE else None
    if hashes is None:
        return ()
    name = _digest(_name(page).encode(errors="replace") + b"\0" + besides)
    least = _least(hashes).reshape(BANDS, ROWS)
    shared = (least * _ROW_WEIGHTS).sum(axis=1, dtype=np.uint64)
    keys = _mixed(np.append(shared, hashes.sum(dtype=np.uint64)) ^ name)
    return tuple(keys.view(np.int64).tolist())


def alike(one: Page, other: Page) -> bool:
    """Whether two pages are one but for dates, counters and adverts (requirement 58)."""
    return _name(one) == _name(other) and _same_lines(_lines(one), _lines(other))


def _hashes(letters: bytes) -> Numbers | None:
    """A number for each shingle without digits, None for a text with too few."""
    begins, fewest = _begins(np.frombuffer(letters, np.uint8)[:-SHINGLE])
    # Every eight octets as a number, wherever they begin: a view, nothing is copied.
    windows: Numbers = np.ndarray((len(letters) - _WORD + 1,), "<u8", letters, strides=(1,))
    one, other = windows[begins], windows[begins + _WORD]
    # Whether an octet is NUL, which stands for a digit (Warren, Hacker's Delight, 6-1).
    lasting = (((one - _LOW) & ~one) | ((other - _LOW) & ~other)) & _HIGH == 0
    one, other = one[lasting], other[lasting]
    return _mixed(one * _ONE + other * _TWO) if len(one) >= fewest else None


def _begins(octets: npt.NDArray[np.uint8]) -> tuple[npt.NDArray[np.intp], int]:
    """Where shingles begin, and how many must: after spaces, or at each letter where hardly any stand."""
    spaces = np.flatnonzero(octets == _SPACE)
    if len(spaces) * _UNPARTED >= len(octets):
        return spaces + 1, FEWEST
    return np.flatnonzero(octets >= _LEAD), 2 * FEWEST


def _digest(octets: bytes) -> Numbers:
    return np.frombuffer(blake2b(octets, digest_size=_WORD).digest(), "<u8")


def _mixed(numbers: Numbers) -> Numbers:
    numbers = (numbers ^ (numbers >> _HALF)) * _THREE
    return numbers ^ (numbers >> _HALF)


def _least(hashes: Numbers) -> Numbers:
    """The least hash from each edge on; where a stretch is empty, that of the next."""
    hashes.sort()
    return hashes[np.searchsorted(hashes, _EDGES) % len(hashes)]


def _name(page: Page) -> str:
    """What a page calls itself: its title, or its first heading."""
    headings = (section.heading for section in page.sections if section.heading)
    return " ".join((page.title or next(headings, "")).casefold().split())


def _lines(page: Page) -> list[str]:
    return page.text.casefold().split("\n")


def _same_lines(one: list[str], other: list[str]) -> bool:
    """Whether these differ only in changing numbers and in lines that one of the two has more.

    Whichever is named first: they are sorted, because where two ways are open the walk takes one.
    """
    size = max(_size(one), _size(other))
    if abs(_size(one) - _size(other)) > MOST_APART * size:
        return False
    first, second = sorted((one, other))
    walk = _Walk(first, second, round(MOST_APART * size))
    while walk.step():
        pass
    return walk.over()


def _size(lines: list[str]) -> int:
    return sum(map(len, lines))


class _Walk:
    """Two texts side by side, from the first line to the last; pages that differ mostly do so soon."""

    def __init__(self, one: list[str], other: list[str], allowed: int) -> None:
        self._texts = one, other
        self._at = [0, 0]
        self._allowed = allowed  # characters that one text may yet have more
        self._changes = MOST_CHANGED  # numbers that may yet differ
        self._looks = MOST_LOOKS

    def step(self) -> bool:
        """Go on past the next line of one text or both; False at the end of one, or where it is proved."""
        if self._spent() or any(at == len(text) for at, text in zip(self._at, self._texts, strict=True)):
            return False
        one, other = (text[at] for text, at in zip(self._texts, self._at, strict=True))
        mine, theirs = lasting(one), lasting(other)
        if mine == theirs:
            self._changes -= changed(one, other) if one != other else 0
            self._at = [at + 1 for at in self._at]
            return True
        # Where each of the two lines comes in the other text: what stands before that was put in.
        ahead = [self._ahead(0, theirs), self._ahead(1, mine)]
        if ahead == [0, 0]:
            return self._grown(mine, theirs)
        which = 0 if ahead[1] == 0 or 0 < ahead[0] <= ahead[1] else 1
        self._skip(which, ahead[which])
        return True

    def over(self) -> bool:
        """Whether all was passed, what is left of one text included."""
        for which in (0, 1):
            self._skip(which, len(self._texts[which]) - self._at[which])
        return not self._spent()

    def _spent(self) -> bool:
        return self._allowed < 0 or self._changes < 0 or self._looks < 0

    def _ahead(self, which: int, wanted: str) -> int:
        """How many lines ahead a text has this line, 0 when it comes too late or no more."""
        text, at, room = self._texts[which], self._at[which], self._allowed
        for ahead in range(1, len(text) - at):
            room -= len(text[at + ahead - 1])
            self._looks -= 1
            if room < 0 or self._looks < 0:
                return 0
            if lasting(text[at + ahead]) == wanted:
                return ahead
        return 0

    def _skip(self, which: int, lines: int) -> None:
        at = self._at[which]
        self._allowed -= _size(self._texts[which][at : at + lines])
        self._at[which] += lines

    def _grown(self, one: str, other: str) -> bool:
        """Pass two lines of which one is the other with words before or after it; False for any others."""
        short, long = sorted((one, other), key=len)
        more = len(long) - len(short)
        if more > MOST_APART * len(long) or not (long.startswith(f"{short} ") or long.endswith(f" {short}")):
            self._allowed = -1
            return False
        self._allowed -= more
        self._at = [at + 1 for at in self._at]
        return True
