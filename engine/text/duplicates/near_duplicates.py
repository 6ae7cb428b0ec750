"""Proves that two pages differ in nothing but dates, counters and adverts.

Nothing is a copy because its sketch says so (engine.text.duplicates). The names of both pages must be equal,
numbers in them too, and their lines must be the same but for changing numbers and for whole lines that one of
them has more. Where one line stands in place of another, as on pages of one template, these are two pages.
"""

import re

from engine.model import CELL_END, Page
from engine.text.duplicates.variable_text import MARK, count_changed_numbers, mask_variable_words

MOST_APART = 0.2  # of the characters of the longer page: what stands on one of the two only
MOST_PLACES = 4  # where lines stand that only one of the two has: two adverts, a date and a counter
FEWEST_WORDS = 3  # of a line that may be an advert; overloads of one function differ in a word or two
FEWEST_SIGNS = 6  # the same in scripts without spaces
MOST_LOOKS = 20_000  # at lines further on, when two pages are compared: some 10 ms
MOST_CHANGED = 8  # numbers that differ: a date, a time and some counters; a page of figures has more

_WORD = re.compile(r"[^\W\d_]{2,}")
_SIGN = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\ud7ff]"
)  # Thai to Khmer; Chinese to Korean


def are_near_duplicates(one: Page, other: Page) -> bool:
    """Tells whether two pages are one but for dates, counters and adverts (requirement 58)."""
    return title_or_heading(one) == title_or_heading(other) and _have_same_lines(
        _split_lines(one), _split_lines(other)
    )


def title_or_heading(page: Page) -> str:
    """Returns a page's title, else its first heading."""
    headings = (section.heading for section in page.sections if section.heading)
    return " ".join((page.title or next(headings, "")).casefold().split())


def _split_lines(page: Page) -> list[str]:
    return page.text.casefold().replace(CELL_END, "").split("\n")


def _have_same_lines(one: list[str], other: list[str]) -> bool:
    """Tells whether these differ only in changing numbers and in lines that one of the two has more.

    Whichever is named first: they are sorted, because where two ways are open the walk takes one.
    """
    size = max(_total_length(one), _total_length(other))
    if abs(_total_length(one) - _total_length(other)) > MOST_APART * size:
        return False
    first, second = sorted((one, other))
    walk = _LineComparison(first, second, round(MOST_APART * size))
    while walk.step():
        pass
    return walk.is_over()


def _total_length(lines: list[str]) -> int:
    return sum(map(len, lines))


class _LineComparison:
    """Two texts side by side, from the first line to the last; pages that differ mostly do so soon."""

    def __init__(self, one: list[str], other: list[str], allowed: int) -> None:
        self._texts = one, other
        self._at = [0, 0]
        self._allowed = allowed  # characters that one text may yet have more
        self._changes = MOST_CHANGED  # numbers that may yet differ
        self._places = MOST_PLACES  # where yet more may stand on one of them
        self._looks = MOST_LOOKS

    def step(self) -> bool:
        """Passes the next line of one text or both; False at the end of one, or where it is proved."""
        if self._is_spent() or any(at == len(text) for at, text in zip(self._at, self._texts, strict=True)):
            return False
        one, other = (text[at] for text, at in zip(self._texts, self._at, strict=True))
        mine, theirs = mask_variable_words(one), mask_variable_words(other)
        if mine == theirs:
            self._changes -= count_changed_numbers(one, other) if one != other else 0
            self._at = [at + 1 for at in self._at]
            return True
        # Where each of the two lines comes in the other text: what stands before that was put in.
        ahead = [self._find_ahead(0, theirs), self._find_ahead(1, mine)]
        if ahead == [0, 0]:
            return self._skip_extended(mine, theirs)
        which = 0 if ahead[1] == 0 or 0 < ahead[0] <= ahead[1] else 1
        self._skip(which, ahead[which])
        return True

    def is_over(self) -> bool:
        """Tells whether all was passed, what is left of one text included."""
        for which in (0, 1):
            self._skip(which, len(self._texts[which]) - self._at[which])
        return not self._is_spent()

    def _is_spent(self) -> bool:
        return self._allowed < 0 or min(self._changes, self._places, self._looks) < 0

    def _find_ahead(self, which: int, line: str) -> int:
        """Finds how many lines ahead a text has this line, 0 when it comes too late or no more."""
        text, at, room = self._texts[which], self._at[which], self._allowed
        for ahead in range(1, len(text) - at):
            room -= len(text[at + ahead - 1])
            self._looks -= 1
            if room < 0 or self._looks < 0:
                return 0
            if mask_variable_words(text[at + ahead]) == line:
                return ahead
        return 0

    def _skip(self, which: int, lines: int) -> None:
        """Passes lines that only one text has; a word alone is no advert but a name of its own."""
        at = self._at[which]
        skipped = self._texts[which][at : at + lines]
        self._allowed -= _total_length(skipped)
        self._places -= bool(skipped)
        if not all(map(_is_optional_line, skipped)):
            self._allowed = -1
        self._at[which] += lines

    def _skip_extended(self, one: str, other: str) -> bool:
        """Passes two lines of which one is the other with words before or after it; False for others."""
        short, long = sorted((one, other), key=len)
        more = len(long) - len(short)
        if long.startswith(f"{short} "):
            added = long[len(short) :]
        else:
            added = long[:more] if long.endswith(f" {short}") else ""
        if more > MOST_APART * len(long) or not _is_optional_line(added):
            self._allowed = -1
            return False
        self._allowed -= more
        self._at = [at + 1 for at in self._at]
        return True


def _is_optional_line(line: str) -> bool:
    """Tells whether a line may be there or not: an advert, a date, a counter."""
    return (
        MARK in mask_variable_words(line)
        or len(_WORD.findall(line)) >= FEWEST_WORDS
        or len(_SIGN.findall(line)) >= FEWEST_SIGNS
    )
